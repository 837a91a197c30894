import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { EndPayment } from './end-payment.ts';
import { findPayment } from './payment.repository.ts';

/** `payment.expire`: the time to pay is over. The provider is asked first: a payment that was made in time counts. */
@Injectable()
@HandlesDue('payment.expire')
export class ExpirePayment implements DueHandler {
  readonly kind = 'payment.expire';

  constructor(
    private readonly end: EndPayment,
    private readonly database: Database,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, work.tenant, Number(work.key));
    if (payment?.status !== 'PENDING') return 'done';
    if ((await this.database.now()) < payment.expires_at) return { again: payment.expires_at };
    return (await this.end.execute(payment, 'expire')) === 'silent' ? 'later' : 'done';
  }
}
