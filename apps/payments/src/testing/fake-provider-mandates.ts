import { MANDATE_TYPES, type PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  AuthorisationStatus,
  DebitNotice,
  MandateCheckout,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderMandates,
  ProviderNotice,
  ProviderPaymentStatus,
} from '@fundrail/providers';
import { YES } from '@fundrail/testing';
import { signatureOf } from './fake-checkout.ts';
import { Script } from './script.ts';

/** An authorisation that the bank has approved. */
export const APPROVED = {
  status: 'approved',
  provider_reference: 'ref_1',
  mandate_token: 'token_1',
  provider_id: null,
  umrn: 'UMRN1',
} as const;
export const WAITING = { kind: 'yes', value: { status: 'waiting' } } as const;

/** The mandate side of a provider: it answers as a test sets, and stores the requests. */
export class FakeProviderMandates implements ProviderMandates {
  readonly types = MANDATE_TYPES;
  readonly registered: MandateRegistration[] = [];
  readonly collectedFrom: string[] = [];
  /** The debits of the requested notices, withdrawals, executions and status queries, in order. */
  readonly notices: ProviderNotice[] = [];
  readonly withdrawn: ProviderDebit[] = [];
  readonly executed: ProviderDebit[] = [];
  readonly statusQueries: ProviderDebit[] = [];
  /** Replaces the URI of the registration. */
  readonly onUri = new Script<Answer<{ readonly uri: string }, PaymentFailureCode> | null>(null);
  readonly onCollect = new Script<Answer<null, PaymentFailureCode>>(YES);
  readonly onAuthorisationStatus = new Script<Answer<AuthorisationStatus, PaymentFailureCode>>(WAITING);
  readonly onCancel = new Script<Answer<null>>(YES);
  readonly onMandateStatus = new Script<Answer<MandateState>>({ kind: 'yes', value: { status: 'active' } });
  readonly onNotify = new Script<Answer<DebitNotice, PaymentFailureCode> | null>(null);
  readonly onExecute = new Script<Answer<null, PaymentFailureCode>>(YES);
  readonly onDebitStatus = new Script<Answer<ProviderPaymentStatus, PaymentFailureCode>>(WAITING);
  /** Awaited before a notice or an execution is answered. */
  beforeAnswer: (call: 'notify' | 'execute', debit: ProviderDebit) => Promise<void> = () => Promise.resolve();

  readonly checkout: MandateCheckout | null;
  /** As at Razorpay: the provider with a checkout does not support idempotency keys. */
  readonly chargesOneRupee: boolean;
  readonly mayDebitTwice: boolean;
  private readonly ownCheckout: MandateCheckout = {
    keyId: 'key_test',
    open: (registration) => {
      this.registered.push(registration);
      const order = { order_id: `order_${registration.reference}`, customer_id: 'cust_1' };
      return Promise.resolve({ kind: 'yes', value: order });
    },
    isSigned: (capture) => capture.signature === signatureOf(capture.order_id, capture.payment_id),
    startEmandate: (registration, { order_id }, bank, back) => {
      this.registered.push(registration);
      const redirect_url = `https://bank.example/mandate?${new URLSearchParams({ order_id, bank, back }).toString()}`;
      return Promise.resolve({ kind: 'yes', value: { redirect_url } });
    },
  };

  constructor(hasCheckout: boolean) {
    this.checkout = hasCheckout ? this.ownCheckout : null;
    this.chargesOneRupee = hasCheckout;
    this.mayDebitTwice = hasCheckout;
  }

  authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>> {
    this.registered.push(registration);
    return Promise.resolve(this.onUri.next() ?? { kind: 'yes', value: { uri: mandateUriOf(registration) } });
  }

  authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>> {
    this.registered.push(registration);
    this.collectedFrom.push(vpa);
    return Promise.resolve(this.onCollect.next());
  }

  authorisationStatus(): Promise<Answer<AuthorisationStatus, PaymentFailureCode>> {
    return Promise.resolve(this.onAuthorisationStatus.next());
  }

  cancelAuthorisation(): Promise<Answer<null>> {
    return Promise.resolve(this.onCancel.next());
  }

  revoke(): Promise<Answer<null>> {
    return Promise.resolve(YES);
  }

  mandateStatus(): Promise<Answer<MandateState>> {
    return Promise.resolve(this.onMandateStatus.next());
  }

  async notifyDebit(debit: ProviderNotice): Promise<Answer<DebitNotice, PaymentFailureCode>> {
    this.notices.push(debit);
    await this.beforeAnswer('notify', debit);
    return this.onNotify.next() ?? { kind: 'yes', value: noticeOf(debit) };
  }

  withdrawNotice(debit: ProviderDebit): Promise<Answer<null>> {
    this.withdrawn.push(debit);
    return Promise.resolve(YES);
  }

  async executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>> {
    this.executed.push(debit);
    await this.beforeAnswer('execute', debit);
    return this.onExecute.next();
  }

  debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>> {
    this.statusQueries.push(debit);
    return Promise.resolve(this.onDebitStatus.next());
  }
}

/** The notice with the content of the request. */
export function noticeOf({
  payment_reference,
  notice_number,
  amount,
  execute_at,
}: ProviderDebit): DebitNotice {
  const notice_reference = `notice_${payment_reference}_${notice_number}`;
  return { notice_reference, proof: '{"notice":"sent"}', amount, execute_at, sent_at: null };
}

const day = (date: string) => `${date.slice(8)}${date.slice(5, 7)}${date.slice(0, 4)}`;

/** NPCI's mandate linking URI for a registration (MAN-16). */
export function mandateUriOf({
  reference,
  mandate_ref,
  limit,
  valid_from,
  valid_to,
}: MandateRegistration): string {
  const fields = {
    pa: 'op@bank',
    pn: 'Operator',
    mn: mandate_ref,
    tr: reference,
    am: limit.toFixed2(),
    cu: 'INR',
    amrule: 'MAX',
    recur: 'ASPRESENTED',
    validitystart: day(valid_from),
    validityend: day(valid_to),
    rev: 'Y',
    purpose: '14',
    mode: '04',
    mc: '6211',
    tn: 'x',
    txnType: 'CREATE',
  };
  return `upi://mandate?${new URLSearchParams(fields).toString()}`;
}
