import { ApiError, found, type PaymentDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { apply, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { CancelDebit } from '../debit/cancel-debit.ts';
import { findPayment, lockPayment } from '../payment/payment.repository.ts';
import { toPayment, type Payment } from '../payment/payment.ts';
import { EndPayment } from './end-payment.ts';

/** `POST /:id/cancel`: PENDING only. The provider is asked first; if the payment was paid by then, the answer is 409. */
@Injectable()
export class CancelPayment {
  constructor(
    private readonly end: EndPayment,
    private readonly debits: CancelDebit,
    private readonly database: Database,
  ) {}

  /** Throws 404, `IllegalTransition` when the payment is past PENDING, 503 when the provider does not answer. */
  async execute(caller: Caller, id: number): Promise<PaymentDto> {
    const payment = found(await findPayment(this.database, caller.tenant, id));
    const isRetry = await isRetryOfStarted(caller, id);
    if (!(isRetry && isCancelled(payment))) apply(paymentMachine, payment.status, 'cancel');
    const ended =
      payment.payment_type === 'NACH' ? this.debits.execute(payment) : this.end.execute(payment, 'cancel');
    if ((await ended) === 'silent')
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'The payment provider does not answer; the payment is unchanged',
        [],
        5,
      );
    return this.database.transaction(async (tx) => {
      const locked = found(await lockPayment(tx, caller.tenant, id));
      const after = locked.payment;
      if (!isCancelled(after)) apply(paymentMachine, after.status, 'cancel');
      return caller.answer(tx, toPayment(after));
    });
  }
}

function isCancelled(payment: Payment): boolean {
  return payment.status === 'FAILED' && payment.failure_code === 'user_cancelled';
}

/** Whether an earlier request with the same Idempotency-Key died before its answer: then this retry may find the payment cancelled already. */
async function isRetryOfStarted({ idempotency }: Caller, id: number): Promise<boolean> {
  let isRetry = idempotency !== null;
  await idempotency?.reserve(() => {
    isRetry = false;
    return Promise.resolve(String(id));
  });
  return isRetry;
}
