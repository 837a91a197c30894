import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { AnswerCreation } from './answer-creation.ts';
import { findCollection } from './collection.repository.ts';
import { expiryOf, isUnanswered } from './collection.ts';
import { EndPayment } from './end-payment.ts';

/**
 * `payment.expire`: the time to pay is over. The provider is asked first: a payment that was paid in time counts. A creation whose
 * request died without an answer ends sooner, so that its orders are not held for half an hour.
 */
@Injectable()
@HandlesDue('payment.expire')
export class ExpirePayment {
  constructor(
    private readonly end: EndPayment,
    private readonly creations: AnswerCreation,
    private readonly database: Database,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await findCollection(this.database, work.tenant, Number(work.key));
    if (payment?.status !== 'PENDING') return 'done';
    if (isUnanswered(payment) && (await this.creations.giveUp(payment))) return 'done';
    const end = expiryOf(payment);
    if ((await this.database.now()) < end) return { again: end };
    return (await this.end.execute(payment, 'expire')) === 'silent' ? 'later' : 'done';
  }
}
