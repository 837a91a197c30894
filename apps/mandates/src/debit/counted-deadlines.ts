import { PROVIDER_NAMES, type Holidays, type ProviderName } from '@fundrail/contracts';
import { sql } from '@fundrail/persistence';
import { CountedDeadlines, type CountedDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { emandateExecution } from './debit-policy.ts';
import { executionKind } from './debit.ts';

/** First executions of e-mandates that wait for a business day. Notices and retries have days that no holiday list changes. */
const plannedPage = (provider: ProviderName) =>
  sql(
    `due_work.${executionKind(provider)}_page`,
    `SELECT w.key, w.tenant, w.due_at, d.admitted_at AS counted_from
       FROM due_work w JOIN mandate_debits d ON d.payment_id = w.key::bigint JOIN mandates m ON m.id = d.mandate_id
      WHERE w.kind = '${executionKind(provider)}' AND w.key > $1 AND m.mandate_type = 'E_MANDATE'
        AND d.first_on IS DISTINCT FROM 'calendar_day'
        AND NOT EXISTS (SELECT FROM debit_attempts a WHERE a.payment_id = d.payment_id)
      ORDER BY w.key LIMIT ${CountedDeadlines.page}`,
  );

/** The planned day of an e-mandate's debit follows the holiday list. It is also the payment's `debit_date`, so a change is published. */
@Injectable()
export class DebitDeadlines extends CountedDeadlines {
  readonly all: readonly CountedDeadline[];

  constructor({ debits }: MandatesConfig) {
    super();
    this.all = PROVIDER_NAMES.map((provider) => ({
      kind: executionKind(provider),
      page: plannedPage(provider),
      deadline: (admitted_at: Date, holidays: Holidays, now: Date) =>
        emandateExecution({ admitted_at, first_on: null }, now, { ...debits(now), holidays }),
      instead: 'debit.replan',
    }));
  }
}
