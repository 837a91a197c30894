import type { PaymentFailureCode } from '@fundrail/contracts';
import { mapYes, notUnderstood, type Answer, type CallbackHeaders } from '../answer.ts';
import type { PaymentCallback, PaymentProvider } from '../ports.ts';
import type {
  BrowserFacts,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
} from '../provider-payment.ts';
import { SdkvendorBooks } from './books.ts';
import { readWebhook } from './callback.ts';
import { SdkvendorCheckout } from './checkout.ts';
import { SdkvendorClient, type SdkvendorClientOptions } from './client.ts';
import { SdkvendorMandates } from './sdkvendor-mandates.adapter.ts';
import { SdkvendorLedger } from './ledger.ts';
import { RAZORPAY_SIGNATURE_HEADER } from './signature.ts';
import { answerOf, fromRefund, statusOf, toRefundStatus } from './transform.ts';
import { refund as refundSchema } from './wire.ts';
import { route } from '../route.ts';

interface SdkvendorOptions extends SdkvendorClientOptions {
  readonly webhookSecret: string;
  /** Sent as the browser when the investor is in the client's app: this product's own server. */
  readonly server: BrowserFacts;
}

/**
 * Razorpay as a payment provider (GATE-11). Our reference is the receipt of an order there; a payment's result is read from the
 * attempts under that order. It does not transfer money to the order gateway.
 */
export class SdkvendorPayments implements PaymentProvider {
  readonly name = 'SDKVENDOR';
  readonly signatureHeader = RAZORPAY_SIGNATURE_HEADER;
  readonly needsContact = true;
  readonly drawsTr = true;
  readonly checkout: SdkvendorCheckout;
  readonly mandates: SdkvendorMandates;
  readonly books: SdkvendorLedger;
  readonly #client: SdkvendorClient;
  readonly #books: SdkvendorBooks;
  readonly #webhookSecret: string;

  constructor(options: SdkvendorOptions) {
    this.#client = new SdkvendorClient(options);
    this.#books = new SdkvendorBooks(this.#client);
    this.#webhookSecret = options.webhookSecret;
    this.checkout = new SdkvendorCheckout(this.#client, this.#books, options);
    this.mandates = new SdkvendorMandates(this.#client, this.#books, options);
    this.books = new SdkvendorLedger(this.#client, this.#books);
  }

  async issueUpiUri(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const found = await this.checkout.findOrCreate(payment);
    if (found.kind !== 'yes') return found;
    return this.checkout.startUpiIntent(payment, { order_id: found.value.order.id });
  }

  /** An attempt has no idempotency key either: under an existing order, an attempt that is open or was answered counts. */
  async sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>> {
    const found = await this.checkout.findOrCreate(payment);
    if (found.kind !== 'yes') return found;
    const { order, before } = found.value;
    const start = () => this.checkout.startUpiCollect(payment, { order_id: order.id }, vpa);
    if (!before) return start();
    const attempts = await this.#books.attemptsUnder([order]);
    if (attempts.kind === 'no') return notUnderstood(attempts.message);
    if (attempts.kind !== 'yes') return attempts;
    if (attempts.value.length === 0) return start();
    const status = statusOf(attempts.value);
    return status.status === 'failed'
      ? { kind: 'no', failure_code: status.failure_code, message: status.message }
      : { kind: 'yes', value: null };
  }

  async paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    const attempts = await this.#books.attemptsOf(reference);
    // A status request has no "no": a refused one was not understood by either side.
    if (attempts.kind === 'no') return notUnderstood(attempts.message);
    return mapYes(attempts, statusOf);
  }

  /** Razorpay has no cancellation: `yes` means that no money was received so far. Later money is late (REF-8). */
  async cancel(reference: string): Promise<Answer<null>> {
    const status = await this.paymentStatus(reference);
    if (status.kind !== 'yes') return status;
    return status.value.status === 'captured'
      ? { kind: 'no', failure_code: 'already_paid', message: 'The payment has been paid' }
      : { kind: 'yes', value: null };
  }

  async refund(refund: ProviderRefund): Promise<Answer<RefundStatus>> {
    const found = await this.#books.refundOf(refund);
    if (found.kind !== 'yes') return found.kind === 'no' ? notUnderstood(found.message) : found;
    const { made, from } = found.value;
    if (made) return { kind: 'yes', value: toRefundStatus(made) };
    if (!from) return { kind: 'no', failure_code: 'not_captured', message: 'The payment has not been paid' };
    // razorpay.com/docs/api/refunds/normal-refunds-idempotent: at least ten characters, and the same body again.
    const key = { 'x-refund-idempotency': refund.reference };
    const path = route`/payments/${from.id}/refund`;
    return mapYes(
      answerOf(await this.#client.post(path, fromRefund(refund), key), refundSchema),
      toRefundStatus,
    );
  }

  async refundStatus(refund: ProviderRefund): Promise<Answer<RefundStatus>> {
    const found = await this.#books.refundOf(refund);
    if (found.kind !== 'yes') return found.kind === 'no' ? notUnderstood(found.message) : found;
    const { made } = found.value;
    return made ? { kind: 'yes', value: toRefundStatus(made) } : { kind: 'not_found' };
  }

  readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    return readWebhook({ webhookSecret: this.#webhookSecret, books: this.#books }, headers, rawBody);
  }

  /** Waits for running calls and closes the connections. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
