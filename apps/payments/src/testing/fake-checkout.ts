import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  BrowserFacts,
  CheckoutOrder,
  ProviderCheckout,
  ProviderPayment,
  SignedCapture,
} from '@fundrail/providers';
import { YES } from '@fundrail/testing';
import { Script } from './script.ts';

/** A provider's checkout with the answers that a test sets. */
export class FakeCheckout implements ProviderCheckout {
  readonly keyId = 'key_test';
  /** Every requested order, in order. */
  readonly orderRequests: ProviderPayment[] = [];
  /** Replaces the order of the payment. */
  readonly onOrder = new Script<Answer<CheckoutOrder, PaymentFailureCode> | null>(null);
  /** Replaces the URI of the payment. */
  readonly onIntent = new Script<Answer<{ readonly uri: string }, PaymentFailureCode> | null>(null);
  readonly onCollect = new Script<Answer<null, PaymentFailureCode>>(YES);
  /** Replaces the bank's page with the request in its query. */
  readonly onNetbanking = new Script<Answer<{ readonly redirect_url: string }, PaymentFailureCode> | null>(
    null,
  );
  /** The UPI IDs that collect requests were sent to, in order. */
  readonly collectedFrom: string[] = [];
  /** The browser data of the started attempts, in order. */
  readonly from: (BrowserFacts | null)[] = [];
  /** Awaited before an order is answered. */
  beforeOrder: () => Promise<void> = () => Promise.resolve();

  async createOrder(payment: ProviderPayment): Promise<Answer<CheckoutOrder, PaymentFailureCode>> {
    this.orderRequests.push(payment);
    await this.beforeOrder();
    return this.onOrder.next() ?? { kind: 'yes', value: { order_id: orderOf(payment.reference) } };
  }

  isSigned(capture: SignedCapture): boolean {
    return capture.signature === signatureOf(capture.order_id, capture.payment_id);
  }

  startUpiIntent(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    this.from.push(payment.browser);
    const uri = `upi://pay?pa=op.mf%40validbank&pn=Operator&tr=${payment.reference}&am=${payment.amount.toFixed2()}&cu=INR`;
    return Promise.resolve(this.onIntent.next() ?? { kind: 'yes', value: { uri } });
  }

  startUpiCollect(
    { browser }: ProviderPayment,
    _order: CheckoutOrder,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    this.from.push(browser);
    this.collectedFrom.push(vpa);
    return Promise.resolve(this.onCollect.next());
  }

  startNetbanking(
    { browser }: ProviderPayment,
    { order_id }: CheckoutOrder,
    bank: string,
    back: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>> {
    this.from.push(browser);
    const redirect_url = `https://bank.example/pay?${new URLSearchParams({ order_id, bank, back }).toString()}`;
    return Promise.resolve(this.onNetbanking.next() ?? { kind: 'yes', value: { redirect_url } });
  }
}

/** The provider's order for our reference. */
export function orderOf(reference: string): string {
  return `order_${reference}`;
}

export function signatureOf(order: string, payment: string): string {
  return `signed ${order}|${payment}`;
}
