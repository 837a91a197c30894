import { sql } from '@fundrail/persistence';
import { CountedDeadlines, type CountedDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { unconfirmedAt } from './debit.ts';

// Work that was attempted does not move: orders may have marked the order as given up, and the answer may be lost. The order is blocked
// until this work asks orders again.
const unconfirmedPage = sql(
  'due_work.debit_unconfirmed_page',
  `SELECT w.key, w.tenant, w.due_at, p.created_at AS counted_from
     FROM due_work w JOIN payments p ON p.id = w.key::bigint
    WHERE w.kind = 'debit.unconfirmed' AND w.key > $1 AND w.attempts = 0 AND w.lease_token IS NULL
    ORDER BY w.key LIMIT ${CountedDeadlines.page} FOR UPDATE OF w`,
);

/** The time that a debit waits for its order (decision 0014) follows the holiday list. */
@Injectable()
export class DebitDeadlines extends CountedDeadlines {
  readonly all: readonly CountedDeadline[];

  constructor({ confirmBusinessDays }: PaymentsConfig) {
    super();
    this.all = [
      {
        kind: 'debit.unconfirmed',
        page: unconfirmedPage,
        deadline: (raisedAt, holidays) => unconfirmedAt(raisedAt, confirmBusinessDays, holidays),
      },
    ];
  }
}
