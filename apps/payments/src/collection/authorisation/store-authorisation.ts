import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { task } from '../../payment/payment.ts';
import { createdRows, insertCreated } from '../collection.repository.ts';
import { isUnanswered, type Collection } from '../collection.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import type { AuthorisationTerms } from './authorisation-terms.ts';
import { newAuthorisation } from './authorisation.ts';

/** The last step of an authorisation's creation: stores the payment, its due work, and the answer if it is complete. */
@Injectable()
export class StoreAuthorisation {
  constructor(
    private readonly database: Database,
    private readonly answers: AuthorisationAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Rejects with the constraint that refuses it; then nothing is written. */
  execute(caller: Caller, id: number, { flow, ...given }: AuthorisationTerms): Promise<Collection> {
    return this.database.transaction(async (tx) => {
      const decision = newAuthorisation({ id, ...given }, flow, tx.now, this.config.times);
      const rows = createdRows(decision, [], completionOf(null, null), tx.now);
      const { payment } = rows;
      await insertCreated(tx, [rows]);
      // A collect request is due immediately.
      if (payment.upi?.type === 'collect')
        await scheduleDue(tx, {
          ...task(payment, 'authorisation.collect', tx.now),
          tenant: payment.tenant,
        });
      if (!isUnanswered(payment)) await caller.answer(tx, this.answers.created(payment));
      return payment;
    });
  }
}
