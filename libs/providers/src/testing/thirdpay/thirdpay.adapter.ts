import type { PaymentFailureCode, ProviderName } from '@fundrail/contracts';
import type { HttpCallerOptions } from '../../http-caller.ts';
import { mapYes, notUnderstood, type Answer, type CallbackHeaders } from '../../answer.ts';
import type { PaymentCallback, PaymentProvider } from '../../ports.ts';
import type {
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
} from '../../provider-payment.ts';
import { readCallback } from './callback.ts';
import { answerOf, toPaymentStatus, toRefundStatus } from './transform.ts';
import { charge, giveback, type Charge } from './wire.ts';
import { route } from '../../route.ts';
import { ThirdpayClient } from './thirdpay-client.ts';
import { ThirdpayMandates } from './thirdpay-mandates.adapter.ts';

/** The provider of docs/adding-a-provider.md. */
export class ThirdpayPayments implements PaymentProvider {
  readonly name: ProviderName;
  readonly signatureHeader = 'thirdpay-signature';
  readonly drawsTr = false;
  readonly needsContact = false;
  readonly checkout = null;
  readonly mandates: ThirdpayMandates;
  readonly #client: ThirdpayClient;

  constructor(
    private readonly options: HttpCallerOptions & { readonly secret: string; readonly name: ProviderName },
  ) {
    this.name = options.name;
    this.#client = new ThirdpayClient(options);
    this.mandates = new ThirdpayMandates(this.#client);
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
    return mapYes(answerOf(await this.#client.get(route`/charges/${reference}`), charge), toPaymentStatus);
  }

  async cancel(reference: string): Promise<Answer<null>> {
    const answer = answerOf(await this.#client.post(route`/charges/${reference}/void`, {}), charge);
    return mapYes(answer, () => null);
  }

  async refund({ reference, payment_reference, amount }: ProviderRefund): Promise<Answer<RefundStatus>> {
    const path = route`/charges/${payment_reference}/givebacks/${reference}`;
    return mapYes(
      answerOf(await this.#client.post(path, { rupees: amount.toFixed2() }), giveback),
      toRefundStatus,
    );
  }

  async refundStatus({ reference, payment_reference }: ProviderRefund): Promise<Answer<RefundStatus>> {
    const path = route`/charges/${payment_reference}/givebacks/${reference}`;
    return mapYes(answerOf(await this.#client.get(path), giveback), toRefundStatus);
  }

  async readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    return Promise.resolve(readCallback(this.options.secret, headers, rawBody));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** The reference is in the path: the same one twice is one charge. */
  private async begin(payment: ProviderPayment, how: object): Promise<Answer<Charge, PaymentFailureCode>> {
    const { reference, payment_id, amount, payee_name } = payment;
    const body = { payment_id, rupees: amount.toFixed2(), payee: payee_name, ...how };
    return answerOf(await this.#client.post(route`/charges/${reference}`, body), charge);
  }
}
