import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { findPayment } from '../payment/payment.repository.ts';
import { executionKind } from './debit.ts';

/** `debit.execute`: work from before debits had a pace (decision 0013). It is rescheduled under the kind of its provider. */
@Injectable()
@HandlesDue('debit.execute')
export class ExecuteDebit {
  constructor(private readonly database: Database) {}

  async handle({ tenant, key, due_at }: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, tenant, Number(key));
    if (payment) {
      const kind = executionKind(payment.provider_name);
      await this.database.transaction((tx) => scheduleDue(tx, { kind, key, tenant, due_at }));
    }
    return 'done';
  }
}
