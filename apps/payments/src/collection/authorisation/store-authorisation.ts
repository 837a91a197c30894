import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { creationRows } from '../../payment/open-payment.ts';
import { insertCreated } from '../../payment/payment-creation.repository.ts';
import { CREATION_LIMIT_MS, task, type Payment } from '../../payment/payment.ts';
import { expiryOf, isUnanswered } from '../collection.ts';
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
  execute(caller: Caller, id: number, { flow, ...given }: AuthorisationTerms): Promise<Payment> {
    return this.database.transaction(async (tx) => {
      const decision = newAuthorisation({ id, ...given }, flow, tx.now, this.config.times);
      const { row: payment } = decision;
      await insertCreated(tx, [creationRows(decision, [], completionOf(null, null), tx.now)]);
      for (const due of dueOf(payment, tx.now)) await scheduleDue(tx, { ...due, tenant: payment.tenant });
      if (!isUnanswered(payment)) await caller.answer(tx, this.answers.created(payment));
      return payment;
    });
  }
}

/** A creation whose request died is given up before the authorisation would expire. A collect request is due immediately. */
function dueOf(payment: Payment, now: Date) {
  if (payment.upi_type === 'collect') return [task(payment, 'authorisation.collect', now)];
  if (!isUnanswered(payment)) return [task(payment, 'payment.expire', expiryOf(payment))];
  return [task(payment, 'payment.expire', new Date(now.getTime() + CREATION_LIMIT_MS))];
}
