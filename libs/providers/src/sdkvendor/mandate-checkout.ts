import type { PaymentFailureCode } from '@fundrail/contracts';
import type { MandateCheckout, MandateCheckoutOrder, MandateRegistration } from '../mandate-ports.ts';
import { mapYes, notUnderstood, type Answer } from '../answer.ts';
import type { BrowserFacts, SignedCapture } from '../provider-payment.ts';
import type { SdkvendorBooks } from './books.ts';
import type { SdkvendorClient } from './client.ts';
import {
  fromAuthorisation,
  fromAuthorisationAttempt,
  fromCustomer,
  fromEmandateAttempt,
} from './mandate-transform.ts';
import { customer } from './mandate-wire.ts';
import { findOrCreateOrder, type FoundOrder } from './orders.ts';
import { isSignedCapture } from './signature.ts';
import { answerOf, createdOf, ordered, started } from './transform.ts';
import { startedRedirect } from './wire.ts';
import { route } from '../route.ts';

/** The order of an authorisation, and the customer of the mandate. */
export interface FoundAuthorisation extends FoundOrder {
  readonly customer_id: string;
}

/** Our account at Razorpay, and the browser facts to send when there is no browser. */
export interface SdkvendorKey {
  readonly keyId: string;
  readonly keySecret: string;
  readonly server: BrowserFacts;
}

/** Razorpay's checkout with `recurring`: a customer, an order that will create a token, and attempts under it. */
export class SdkvendorMandateCheckout implements MandateCheckout {
  constructor(
    private readonly client: SdkvendorClient,
    private readonly books: SdkvendorBooks,
    private readonly key: SdkvendorKey,
  ) {}

  get keyId(): string {
    return this.key.keyId;
  }

  async open(registration: MandateRegistration): Promise<Answer<MandateCheckoutOrder, PaymentFailureCode>> {
    const found = await this.findOrCreate(registration);
    return mapYes(found, ({ order, customer_id }) => ({ order_id: order.id, customer_id }));
  }

  isSigned(capture: SignedCapture): boolean {
    return isSignedCapture(this.key.keySecret, capture);
  }

  async startEmandate(
    registration: MandateRegistration,
    order: MandateCheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>> {
    const body = {
      ...fromAuthorisationAttempt(registration, order, this.key.server),
      ...fromEmandateAttempt(registration, bankCode, returnUrl),
    };
    const answer = started(
      answerOf(await this.client.post(route`/payments/create/json`, body), startedRedirect),
    );
    if (answer.kind !== 'yes') return answer;
    const url = answer.value.next.find(({ action }) => action === 'redirect')?.url;
    return url ? { kind: 'yes', value: { redirect_url: url } } : notUnderstood('there is no redirect');
  }

  /** The customer is found again by its details, the order by its receipt: neither has an idempotency key. */
  async findOrCreate(
    registration: MandateRegistration,
  ): Promise<Answer<FoundAuthorisation, PaymentFailureCode>> {
    const who = ordered(
      createdOf(await this.client.post(route`/customers`, fromCustomer(registration)), customer),
    );
    if (who.kind !== 'yes') return who;
    const customer_id = who.value.id;
    const found = await findOrCreateOrder(
      this.client,
      this.books,
      fromAuthorisation(registration, customer_id),
    );
    return mapYes(found, (order) => ({ ...order, customer_id }));
  }
}
