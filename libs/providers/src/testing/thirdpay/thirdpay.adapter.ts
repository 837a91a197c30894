import { stringifyJson, type PaymentFailureCode } from '@fundrail/contracts';
import { HttpCaller, type HttpCallerOptions, type WireAnswer } from '../../http-caller.ts';
import type { Answer, CallbackHeaders } from '../../answer.ts';
import type { PaymentCallback, PaymentProvider } from '../../ports.ts';
import type {
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
} from '../../provider-payment.ts';
import { readCallback } from './callback.ts';
import { answerOf, mapYes, notUnderstood, toPaymentStatus, toRefundStatus } from './transform.ts';
import { charge, giveback, type Charge } from './wire.ts';
import { route, type Route } from '../../route.ts';

/** The provider of docs/adding-a-provider.md. It takes the place of sdkvendor, because the specification has no third provider. */
export class ThirdpayPayments implements PaymentProvider {
  readonly name = 'SDKVENDOR';
  readonly signatureHeader = 'thirdpay-signature';
  readonly drawsTr = false;
  readonly needsContact = false;
  readonly checkout = null;
  readonly mandates = null;
  readonly #caller: HttpCaller;

  constructor(private readonly options: HttpCallerOptions & { readonly secret: string }) {
    this.#caller = new HttpCaller('thirdpay', options);
  }

  async issueUpiUri(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    const answer = await this.begin(payment, { mode: 'link' });
    if (answer.kind !== 'yes') return answer;
    const { link } = answer.value;
    return link === null ? notUnderstood('there is no link') : { kind: 'yes', value: { uri: link } };
  }

  async sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>> {
    return mapYes(await this.begin(payment, { mode: 'ask', vpa }), () => null);
  }

  async paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    return mapYes(answerOf(await this.get(route`/charges/${reference}`), charge), toPaymentStatus);
  }

  async cancel(reference: string): Promise<Answer<null>> {
    const answer = answerOf(await this.post(route`/charges/${reference}/void`, {}), charge);
    return mapYes(answer, () => null);
  }

  async refund({ reference, payment_reference, amount }: ProviderRefund): Promise<Answer<RefundStatus>> {
    const path = route`/charges/${payment_reference}/givebacks/${reference}`;
    return mapYes(answerOf(await this.post(path, { rupees: amount.toFixed2() }), giveback), toRefundStatus);
  }

  async refundStatus({ reference, payment_reference }: ProviderRefund): Promise<Answer<RefundStatus>> {
    const path = route`/charges/${payment_reference}/givebacks/${reference}`;
    return mapYes(answerOf(await this.get(path), giveback), toRefundStatus);
  }

  async readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    return Promise.resolve(readCallback(this.options.secret, headers, rawBody));
  }

  close(): Promise<void> {
    return this.#caller.close();
  }

  /** The reference is in the path: the same one twice is one charge. */
  private async begin(payment: ProviderPayment, how: object): Promise<Answer<Charge, PaymentFailureCode>> {
    const { reference, payment_id, amount, payee_name } = payment;
    const body = { payment_id, rupees: amount.toFixed2(), payee: payee_name, ...how };
    return answerOf(await this.post(route`/charges/${reference}`, body), charge);
  }

  private get(path: Route): Promise<WireAnswer> {
    return this.#caller.call(path, { method: 'GET', headers: {} });
  }

  private post(path: Route, body: object): Promise<WireAnswer> {
    const headers = { 'content-type': 'application/json' };
    return this.#caller.call(path, { method: 'POST', headers, body: stringifyJson(body) });
  }
}
