import type { PaymentFailureCode } from '@fundrail/contracts';
import { BadSignature } from '@fundrail/providers';
import type {
  Answer,
  CallbackHeaders,
  PaymentCallback,
  PaymentProvider,
  ProviderCheckout,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  Transfer,
  TransferGateway,
  TransferStatus,
} from '@fundrail/providers';
import { YES } from '@fundrail/testing';
import { FakeProviderMandates, WAITING } from './fake-provider-mandates.ts';
import { Script } from './script.ts';

export { NONSENSE, NOT_FOUND, SILENCE } from '@fundrail/testing';

type Issued = Answer<{ readonly uri: string }, 'payment_failed'>;

/** A payment provider and order gateway that answers as a test sets, and stores the requests. */
export class FakeProvider implements PaymentProvider, TransferGateway {
  readonly mandates: FakeProviderMandates;
  readonly registered: ProviderPayment[] = [];
  /** The VPAs that collect requests were sent to, in order. */
  readonly collectedFrom: string[] = [];
  readonly transfers: Transfer[] = [];
  readonly refunds: ProviderRefund[] = [];
  /** Replaces the URI of the payment. */
  readonly onIssue = new Script<Issued | null>(null);
  readonly onCollect = new Script<Answer<null, PaymentFailureCode>>(YES);
  readonly onStatus = new Script<Answer<ProviderPaymentStatus, 'payment_failed'>>(WAITING);
  readonly onCancel = new Script<Answer<null>>(YES);
  readonly onTransfer = new Script<Answer<TransferStatus>>(WAITING);
  readonly onTransferStatus = new Script<Answer<TransferStatus>>(WAITING);
  readonly onRefund = new Script<Answer<RefundStatus>>(WAITING);
  readonly onRefundStatus = new Script<Answer<RefundStatus>>(WAITING);

  readonly signatureHeader = 'x-test-signature';
  readonly drawsTr = false;
  readonly needsContact: boolean;

  constructor(
    readonly name: PaymentProvider['name'] = 'GATEWAYPOA',
    readonly checkout: ProviderCheckout | null = null,
  ) {
    this.needsContact = name === 'SDKVENDOR';
    this.mandates = new FakeProviderMandates(checkout !== null);
  }

  issueUpiUri(payment: ProviderPayment): Promise<Issued> {
    this.registered.push(payment);
    return Promise.resolve(this.onIssue.next() ?? { kind: 'yes', value: { uri: uriOf(payment) } });
  }

  sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>> {
    this.registered.push(payment);
    this.collectedFrom.push(vpa);
    return Promise.resolve(this.onCollect.next());
  }

  paymentStatus(): Promise<Answer<ProviderPaymentStatus, 'payment_failed'>> {
    return Promise.resolve(this.onStatus.next());
  }

  cancel(): Promise<Answer<null>> {
    return Promise.resolve(this.onCancel.next());
  }

  refund(refund: ProviderRefund): Promise<Answer<RefundStatus>> {
    this.refunds.push(refund);
    return Promise.resolve(this.onRefund.next());
  }

  refundStatus(): Promise<Answer<RefundStatus>> {
    return Promise.resolve(this.onRefundStatus.next());
  }

  transfer(transfer: Transfer): Promise<Answer<TransferStatus>> {
    this.transfers.push(transfer);
    return Promise.resolve(this.onTransfer.next());
  }

  transferStatus(): Promise<Answer<TransferStatus>> {
    return Promise.resolve(this.onTransferStatus.next());
  }

  /** The callbacks of tests, by the name in their body. */
  readonly callbacks = new Map<string, PaymentCallback>();

  async readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback> {
    const name = /"name":"([^"]+)"/.exec(rawBody)?.[1] ?? '';
    const callback = this.callbacks.get(name);
    if (headers[this.signatureHeader] !== 'good' || !callback)
      throw new BadSignature('the signature does not fit');
    return Promise.resolve(callback);
  }
}

function uriOf({ reference, amount }: ProviderPayment): string {
  return `upi://pay?pa=op%40bank&pn=Operator&mc=6211&tr=${reference}&tn=x&am=${amount.toFixed2()}&cu=INR`;
}
