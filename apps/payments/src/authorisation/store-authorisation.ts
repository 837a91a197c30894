import { eventsOf } from '@fundrail/messaging';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { insertCreated } from '../payment/payment-creation.repository.ts';
import { CREATION_LIMIT_MS, expiryOf, isUnanswered, task, toPayment } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { refusalOf } from '../payment/store-payment.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { newAuthorisation } from './authorisation.ts';
import type { AuthorisationTerms } from './authorisation-terms.ts';

/** The third step of an authorisation's creation: stores the payment, its due work, and the answer if it is complete. */
@Injectable()
export class StoreAuthorisation {
  constructor(
    private readonly database: Database,
    private readonly answers: AuthorisationAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when the id is taken; then nothing is written. */
  async execute(caller: Caller, id: number, { flow, ...given }: AuthorisationTerms): Promise<Payment> {
    try {
      return await this.database.transaction(async (tx) => {
        const decision = newAuthorisation({ id, ...given }, flow, tx.now, this.config.times);
        const { row: payment } = decision;
        const [event] = eventsOf({
          decision,
          before: null,
          aggregateId: String(id),
          toObject: toPayment,
          now: tx.now,
        });
        if (!event) throw new Error('a creation must have one event');
        await insertCreated(tx, [{ payment, orders: [], event, completion: completionOf(null, null) }]);
        for (const due of dueOf(payment, tx.now)) await scheduleDue(tx, { ...due, tenant: payment.tenant });
        if (!isUnanswered(payment)) await caller.answer(tx, this.answers.created(payment));
        return payment;
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/** A creation whose request died is given up before the authorisation would expire. A collect request is due immediately. */
function dueOf(payment: Payment, now: Date) {
  if (payment.upi_type === 'collect') return [task(payment, 'authorisation.collect', now)];
  if (!isUnanswered(payment)) return [task(payment, 'payment.expire', expiryOf(payment))];
  return [task(payment, 'payment.expire', new Date(now.getTime() + CREATION_LIMIT_MS))];
}
