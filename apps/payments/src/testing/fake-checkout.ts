import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  CheckoutOrder,
  ProviderCheckout,
  ProviderPayment,
  SignedCapture,
} from '@fundrail/providers';
import { Script } from './fake-provider.ts';

/** A provider's checkout that says what a test tells it to. */
export class FakeCheckout implements ProviderCheckout {
  readonly keyId = 'key_test';
  /** Every order that was asked for, in order. */
  readonly asked: ProviderPayment[] = [];
  /** In place of the order that belongs to the payment. */
  readonly onOrder = new Script<Answer<CheckoutOrder, PaymentFailureCode> | null>(null);
  /** Is waited for before an order is answered. */
  beforeOrder: () => Promise<void> = () => Promise.resolve();

  async createOrder(payment: ProviderPayment): Promise<Answer<CheckoutOrder, PaymentFailureCode>> {
    this.asked.push(payment);
    await this.beforeOrder();
    return this.onOrder.next() ?? { kind: 'yes', value: { order_id: orderOf(payment.reference) } };
  }

  isSigned(capture: SignedCapture): boolean {
    return capture.signature === signatureOf(capture.order_id, capture.payment_id);
  }

  startUpiIntent(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const uri = `upi://pay?pa=op%40bank&pn=Operator&tr=${payment.reference}&am=${payment.amount.toFixed2()}&cu=INR`;
    return Promise.resolve({ kind: 'yes', value: { uri } });
  }

  startUpiCollect(): Promise<Answer<null, PaymentFailureCode>> {
    return Promise.resolve({ kind: 'yes', value: null });
  }

  startNetbanking(): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>> {
    return Promise.resolve({ kind: 'yes', value: { redirect_url: 'https://bank.example/pay' } });
  }
}

/** The provider's order for our reference. */
export function orderOf(reference: string): string {
  return `order_${reference}`;
}

export function signatureOf(order: string, payment: string): string {
  return `signed ${order}|${payment}`;
}
