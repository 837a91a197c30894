import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { capture, decline } from '../provider-payment/provider-payment.ts';
import { lockPayment, nextProviderReference } from '../provider-payment/provider-payment.repository.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import { bankFault } from './debit.ts';
import { ANSWER_DEBIT } from './open-debit.ts';

/** The bank answers an attempt that was begun, unless somebody has played its answer meanwhile. */
@Injectable()
@HandlesDue(ANSWER_DEBIT)
export class AnswerDebit {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await lockPayment(tx, work.key);
      if (row?.kind !== 'debit' || row.status !== 'awaiting_payer') return 'done';
      const fault = bankFault(row.amount);
      const next = fault
        ? decline(row, fault.code, fault.message)
        : capture(row, await nextProviderReference(tx));
      await savePayment(tx, next);
      return 'done';
    });
  }
}
