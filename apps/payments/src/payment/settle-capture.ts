import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { CapturePost } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { AskProvider } from './ask-provider.ts';
import { findPayment, tenantOfPayment } from './payment.repository.ts';
import { isCheckout } from './payment.ts';
import type { Payment } from './payment.ts';

/**
 * The SDK's callback and the bank's way back (contract §3 "SDK capture"). A signature proves whose ids these are, and not
 * that money came; an error proves nothing. So both only make us ask the provider, whose word alone moves the payment.
 */
@Injectable()
export class SettleCapture {
  constructor(
    private readonly ask: AskProvider,
    private readonly providers: PaymentProviders,
    private readonly database: Database,
  ) {}

  /** The payment as it is afterwards: PENDING while nothing is known. Throws 404, and 400 for a bad signature, which changes nothing. */
  async execute(id: number, posted: CapturePost): Promise<Payment> {
    const payment = await this.find(id);
    if (posted.kind === 'signed') this.check(payment, posted);
    if (!isOpen(payment)) return payment;
    await this.ask.status(payment);
    return this.find(id);
  }

  /** Who posts has no token: the payment is named by its id alone. */
  private async find(id: number): Promise<Payment> {
    const tenant = await tenantOfPayment(this.database, id);
    const payment = tenant === null ? null : await findPayment(this.database, tenant, id);
    if (!payment || !(isCheckout(payment) || payment.sdk_options_offered)) throw new ApiError('NOT_FOUND');
    return payment;
  }

  /** A signature of another order is a good one in the wrong place: replayed, it proves nothing here. */
  private check(payment: Payment, posted: Extract<CapturePost, { kind: 'signed' }>): void {
    const provider = this.providers.of(payment.provider_name);
    const { checkout } =
      payment.payment_type === 'AUTH_TRANSACTION' ? (provider.mandates ?? provider) : provider;
    const isOurs = posted.order_id === payment.checkout_order_id;
    if (!isOurs || !checkout?.isSigned(posted))
      throw new ValidationFailed([
        { field: 'razorpay_signature', message: "does not sign these ids of the payment's order" },
      ]);
  }
}

/** Money may still come in, in time or late. */
function isOpen({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED' || status === 'FAILED';
}
