import { PROVIDER_NAMES, type Holidays, type ProviderName } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { CountedDeadlines, type CountedDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { emandateExecution, unconfirmedAt } from './debit-policy.ts';
import { executionKind } from './debit.ts';

// Work that was attempted does not move: orders may have marked the order as given up, and the answer may be lost. The order is blocked
// until this work asks orders again.
const unconfirmedPage = sql(
  'due_work.debit_unconfirmed_page',
  `SELECT w.key, w.tenant, w.due_at, p.created_at AS counted_from
     FROM due_work w JOIN payments p ON p.id = w.key::bigint
    WHERE w.kind = 'debit.unconfirmed' AND w.key > $1 AND w.attempts = 0 AND w.lease_token IS NULL
    ORDER BY w.key LIMIT $2 FOR UPDATE OF w`,
);

/** First executions of e-mandates. Notices and retries have days that no holiday list changes. */
const plannedPage = (provider: ProviderName) =>
  sql(
    `due_work.${executionKind(provider)}_page`,
    `SELECT w.key, w.tenant, w.due_at, p.created_at AS counted_from
       FROM due_work w JOIN payments p ON p.id = w.key::bigint JOIN debits d ON d.payment_id = p.id
      WHERE w.kind = '${executionKind(provider)}' AND w.key > $1 AND d.mandate_type = 'E_MANDATE'
        AND NOT EXISTS (SELECT FROM debit_attempts a WHERE a.payment_id = p.id)
      ORDER BY w.key LIMIT $2`,
  );
const PLANNED = PROVIDER_NAMES.map((provider) => ({
  kind: executionKind(provider),
  page: plannedPage(provider),
}));

/** The time that a debit waits for its order (decision 0014), and the planned day of an e-mandate's debit, follow the holiday list. */
@Injectable()
export class DebitDeadlines extends CountedDeadlines {
  readonly all: readonly CountedDeadline[];

  constructor({ debits }: PaymentsConfig) {
    super();
    this.all = [
      {
        kind: 'debit.unconfirmed',
        page: unconfirmedPage,
        deadline: (raisedAt, holidays) => unconfirmedAt(raisedAt, { ...debits, holidays }),
      },
      // The day is also the payment's `debit_date`, and a change is published to the client.
      ...PLANNED.map((planned) => ({
        ...planned,
        deadline: (raisedAt: Date, holidays: Holidays, now: Date) =>
          emandateExecution(raisedAt, now, { ...debits, holidays }),
        instead: 'debit.replan',
      })),
    ];
  }
}
