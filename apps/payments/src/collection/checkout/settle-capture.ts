import { ApiError, ValidationFailed, type CapturePost } from '@fundrail/contracts';
import { constantTimeEqual } from '@fundrail/service-kit/crypto';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { tenantOfPayment } from '../../payment/payment.repository.ts';
import type { Payment } from '../../payment/payment.ts';
import { AskProvider } from '../ask-provider.ts';
import { attemptsOf } from '../checkout-page/attempt.repository.ts';
import { upiAttempt } from '../checkout-page/attempt.ts';
import { findCollection } from '../collection.repository.ts';
import { checkoutOf, type Collection } from '../collection.ts';

/** A payment, and whether the post is proven to come from the browser that paid it (decision 0035). */
interface Settled {
  readonly payment: Collection;
  readonly isProven: boolean;
}

/**
 * Takes the SDK's callback and the return from the bank (CAP-6). A signature proves the ids, but not that money came in; an error
 * proves nothing. So both only cause a status call to the provider; only its answer changes the payment.
 */
@Injectable()
export class SettleCapture {
  constructor(
    private readonly ask: AskProvider,
    private readonly providers: PaymentProviders,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** Returns the payment after the status call; it stays PENDING while nothing is known. Throws 404, and 400 for a wrong signature, which changes nothing. */
  async execute(id: number, posted: CapturePost): Promise<Settled> {
    const payment = await this.find(id);
    if (posted.kind === 'signed') this.check(payment, posted);
    const isProven = posted.kind === 'signed' || namesOrderOf(payment, posted.order_id);
    if (!isOpen(payment) || !(isProven || (await this.mayBeAsked(payment)))) return { payment, isProven };
    await this.ask.status(payment);
    return { payment: await this.find(id), isProven };
  }

  /** Anyone can send a post without a proof. About UPI it causes no question, because NPCI counts these (POL-10). */
  private async mayBeAsked(payment: Collection): Promise<boolean> {
    const attempts = await attemptsOf(this.database, payment);
    return upiAttempt(attempts, this.config.times) === null;
  }

  /** The post has no token: the payment is found by its id alone. */
  private async find(id: number): Promise<Collection> {
    const tenant = await tenantOfPayment(this.database, id);
    const payment = tenant === null ? null : await findCollection(this.database, tenant, id);
    if (!payment || !checkoutOf(payment)) throw new ApiError('NOT_FOUND');
    return payment;
  }

  /** A valid signature of another order may be a replay, so it proves nothing here. */
  private check(payment: Collection, posted: Extract<CapturePost, { kind: 'signed' }>): void {
    const provider = this.providers.of(payment.provider_name);
    const { checkout } =
      payment.payment_type === 'AUTH_TRANSACTION' ? (provider.mandates ?? provider) : provider;
    const isOurs = posted.order_id === checkoutOf(payment)?.order_id;
    if (!isOurs || !checkout?.isSigned(posted))
      throw new ValidationFailed([
        { field: 'razorpay_signature', message: "is not a valid signature of the payment's order" },
      ]);
  }
}

/** Only the client, the payer's browser and the provider know the provider's order, so a post that names it does not just guess payment ids. */
function namesOrderOf(payment: Collection, named: string | null): boolean {
  const known = checkoutOf(payment)?.order_id ?? null;
  return known !== null && named !== null && constantTimeEqual(known, named);
}

/** Money may still come in, in time or late. */
function isOpen({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED' || status === 'FAILED';
}
