import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { collectAnswer } from './collect.ts';
import { capture, decline } from './provider-payment.ts';
import { ANSWER_COLLECT } from './ask-payer.ts';
import { savePayment } from './save-payment.ts';

/** The payer responds to a collect request as the VPA defines, even when the request was withdrawn meanwhile: that is `late@upi`. */
@Injectable()
@HandlesDue(ANSWER_COLLECT)
export class AnswerCollect {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.payments.lock(tx, { reference: work.key });
      const answer = row?.vpa ? collectAnswer(row.vpa) : null;
      if (!row || !answer || row.status === 'captured') return 'done';
      if (answer.does === 'pay') await savePayment(tx, capture(row, await nextProviderReference(tx)));
      else if (row.status === 'awaiting_payer')
        await savePayment(
          tx,
          decline(row, 'investor_bank_declined', 'The payer declined the collect request'),
        );
      return 'done';
    });
  }
}
