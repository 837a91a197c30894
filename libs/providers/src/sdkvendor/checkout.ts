import type { PaymentFailureCode } from '@fundrail/contracts';
import { mapYes, notUnderstood, type Answer } from '../answer.ts';
import type { ProviderCheckout } from '../ports.ts';
import type { BrowserFacts, CheckoutOrder, ProviderPayment, SignedCapture } from '../provider-payment.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import { findOrCreateOrder, type FoundOrder } from './orders.ts';
import { isSignedCapture } from './signature.ts';
import { answerOf, fromAttempt, fromPayment, started } from './transform.ts';
import { startedIntent, startedRedirect, startedUpi } from './wire.ts';
import { route } from '../route.ts';

// TIME-3: five minutes after the collect request. It is also Razorpay's minimum.
const COLLECT_MINUTES = 5;

/** Razorpay's Standard Checkout (SDK) and its server-to-server payments, all under one order per payment. */
export class SdkvendorCheckout implements ProviderCheckout {
  constructor(
    private readonly client: SdkvendorClient,
    private readonly books: SdkvendorBooks,
    private readonly key: {
      readonly keyId: string;
      readonly keySecret: string;
      readonly server: BrowserFacts;
    },
  ) {}

  get keyId(): string {
    return this.key.keyId;
  }

  async createOrder(payment: ProviderPayment): Promise<Answer<CheckoutOrder, PaymentFailureCode>> {
    return mapYes(await this.findOrCreate(payment), (found) => ({ order_id: found.order.id }));
  }

  findOrCreate(payment: ProviderPayment): Promise<Answer<FoundOrder, PaymentFailureCode>> {
    return findOrCreateOrder(this.client, this.books, fromPayment(payment));
  }

  isSigned(capture: SignedCapture): boolean {
    return isSignedCapture(this.key.keySecret, capture);
  }

  async startUpiIntent(
    payment: ProviderPayment,
    { order_id }: CheckoutOrder,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const body = {
      ...fromAttempt(payment, order_id, this.key.server),
      method: 'upi',
      upi: { flow: 'intent' },
    };
    const answer = answerOf(await this.client.post(route`/payments/create/upi`, body), startedIntent);
    return mapYes(started(answer), ({ link }) => ({ uri: link }));
  }

  async startUpiCollect(
    payment: ProviderPayment,
    { order_id }: CheckoutOrder,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    const upi = { flow: 'collect', vpa, expiry_time: COLLECT_MINUTES };
    const body = { ...fromAttempt(payment, order_id, this.key.server), method: 'upi', upi };
    const answer = answerOf(await this.client.post(route`/payments/create/upi`, body), startedUpi);
    return mapYes(started(answer), () => null);
  }

  async startNetbanking(
    payment: ProviderPayment,
    { order_id }: CheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>> {
    const bank = { method: 'netbanking', bank: bankCode, callback_url: returnUrl };
    const body = { ...fromAttempt(payment, order_id, this.key.server), ...bank };
    const answer = started(
      answerOf(await this.client.post(route`/payments/create/json`, body), startedRedirect),
    );
    if (answer.kind !== 'yes') return answer;
    const url = answer.value.next.find(({ action }) => action === 'redirect')?.url;
    return url ? { kind: 'yes', value: { redirect_url: url } } : notUnderstood('there is no redirect');
  }
}
