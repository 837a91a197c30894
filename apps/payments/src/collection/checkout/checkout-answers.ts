import type { CreatedPaymentDto, FetchedPaymentDto, SdkOptionsDto } from '@fundrail/contracts';
import type { ProviderPayment } from '@fundrail/providers';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { toPayment } from '../../payment/payment.ts';
import { CHECKOUT_PATH, CheckoutTokens } from '../checkout-page/checkout-token.ts';
import { checkoutOf, isUnanswered, type Collection } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';

/** The part of the answers to creation and GET that lets the investor pay (FLOW-5). */
@Injectable()
export class CheckoutAnswers {
  constructor(
    private readonly tokens: CheckoutTokens,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly config: PaymentsConfig,
  ) {}

  created({ id, upi }: Pick<Collection, 'id' | 'upi'>): CreatedPaymentDto {
    return upi ? { id, token_url: null, upi } : { id, token_url: this.tokens.tokenUrl(id), upi: null };
  }

  createdWithSdk(payment: Collection, contact: ProviderPayment['contact']): CreatedPaymentDto {
    return { ...this.created(payment), sdk_options: this.sdkOptions(payment, contact) };
  }

  /** The payment and, while it is PENDING, the unused parts of its checkout. Throws 503 when identity does not return the contact. */
  async fetched(payment: Collection, now: Date): Promise<FetchedPaymentDto> {
    const shown = toPayment(payment);
    const checkout = checkoutOf(payment);
    // A creation that is not answered yet may still be given up, so the way to pay is not shown.
    if (payment.status !== 'PENDING' || !checkout || isUnanswered(payment)) return shown;
    const isUnused = checkout.opened_at === null && now < checkout.token_expires_at;
    const hasSdk = checkout.sdk_offered && checkout.order_id !== null;
    return {
      ...shown,
      ...(isUnused ? { token_url: this.tokens.tokenUrl(payment.id) } : {}),
      ...(hasSdk ? { sdk_options: this.sdkOptions(payment, await this.toProvider.contactOf(payment)) } : {}),
    };
  }

  private sdkOptions(payment: Collection, { email, mobile }: ProviderPayment['contact']): SdkOptionsDto {
    const opened = checkoutOf(payment);
    const { method } = payment;
    const { checkout } = this.providers.of(payment.provider_name);
    if (!checkout || opened?.order_id == null)
      throw new Error(`payment ${payment.id} has no order at a provider's checkout`);
    return {
      sdkvendor: {
        callback_url: `${this.config.publicBaseUrl}${CHECKOUT_PATH}/capture/${payment.id}`,
        bank_code: opened.bank_code ?? '',
        amount: payment.amount.toPaise(),
        // Mutual funds are paid from the investor's own bank account: no cards, no wallets.
        method: { wallet: false, netbanking: method !== 'UPI', card: false, upi: method !== 'NETBANKING' },
        order_id: opened.order_id,
        key: checkout.keyId,
        email: email ?? '',
        contact: mobile ?? '',
      },
    };
  }
}
