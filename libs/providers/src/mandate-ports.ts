import type { Decimal, MandateType, PaymentFailureCode } from '@fundrail/contracts';
import type { Answer, CallbackHeaders } from './answer.ts';
import type {
  CheckoutOrder,
  ProviderPayment,
  ProviderPaymentStatus,
  SignedCapture,
} from './provider-payment.ts';

/** The account that a mandate debits. Banks ask for its type, as INV-5 names them. */
type MandatePayer = NonNullable<ProviderPayment['payer']> & {
  readonly account_type: 'savings' | 'current' | 'nre' | 'nro';
};

/**
 * What the investor must authorise. `reference` is that of the AUTH_TRANSACTION payment, at most 35 alphanumerics, and the
 * call's idempotency key: another authorisation of the same mandate has another one. `limit` is in rupees, the dates are IST.
 */
export interface MandateRegistration {
  readonly reference: string;
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly tenant: string;
  readonly mandate_ref: string;
  readonly mandate_type: MandateType;
  /** The name that the investor sees: the tenant's `operator_name`. A URI with another name is not shown. */
  readonly payee_name: string;
  readonly limit: Decimal;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly payer: MandatePayer;
  readonly contact: ProviderPayment['contact'];
  /** The browser with the hosted page; absent when the investor is in the client's own app. */
  readonly browser?: ProviderPayment['browser'];
  /** Business time after which the provider should not accept the authorisation. */
  readonly expires_at: Date;
}

/**
 * A provider's ids of a mandate. `mandate_token` is its main id, `provider_id` a second one that it needs (Razorpay's customer;
 * otherwise null), `umrn` NPCI's number (UMRN of an e-mandate, UMN of Autopay) if the provider reports it.
 */
export interface ProviderMandate {
  readonly mandate_type: MandateType;
  readonly mandate_token: string;
  readonly provider_id: string | null;
  readonly umrn: string | null;
}

/** An additional mandate, created besides the wanted one. */
export type SurplusMandate = Pick<ProviderMandate, 'mandate_token' | 'provider_id' | 'umrn'>;

/**
 * The status of an authorisation. `received`: the investor agreed and the provider has it; `submitted`: the bank has it, and may
 * take days; `approved`: debits may be made; `failed`: this attempt failed, another may follow; `rejected`: the bank refused the
 * mandate itself, which ends it (the payment fails too, with the code).
 */
export type AuthorisationStatus =
  | { readonly status: 'waiting' }
  | {
      readonly status: 'received' | 'submitted';
      readonly mandate_token: string | null;
      readonly provider_id: string | null;
      readonly umrn: string | null;
    }
  | {
      readonly status: 'approved';
      readonly provider_reference: string;
      readonly mandate_token: string;
      readonly provider_id: string | null;
      readonly umrn: string | null;
      /** Surplus mandates that the investor created by other attempts. */
      readonly others?: readonly SurplusMandate[];
    }
  | {
      readonly status: 'failed' | 'rejected';
      readonly failure_code: PaymentFailureCode;
      readonly message: string;
    };

/** The state of a mandate at the provider. The investor pauses, resumes and revokes it in the UPI app or at the bank. */
export interface MandateState {
  readonly status: 'active' | 'paused' | 'cancelled' | 'expired' | 'rejected';
}

/**
 * One attempt of a debit. `reference` is the attempt's own, at most 35 alphanumerics, and the calls' idempotency key: the same
 * attempt twice is one debit, and a further attempt has another reference. `payment_reference` is the payment's, the same for all
 * attempts, and callbacks use it. Amount in rupees.
 */
export interface ProviderDebit {
  readonly reference: string;
  readonly payment_reference: string;
  readonly payment_id: number;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly mandate: ProviderMandate;
  /** 1 is the first attempt, 2-4 are its retries. */
  readonly attempt: number;
  /** The planned execution, business time, which the notice states. */
  readonly execute_at: Date;
  /** The number of the payment's notice, from 1; a further one is for another day. With the payment's reference it is the call's key. */
  readonly notice_number: number;
  /** The reference that `notifyDebit` returned, needed for each attempt. Null before the notice, and for e-mandates. */
  readonly notice_reference: string | null;
  readonly contact: ProviderPayment['contact'];
}

/** A debit whose payer is to be notified of amount, time and these facts (`pre_debit_notice`). */
export interface ProviderNotice extends ProviderDebit {
  /** The tenant's `operator_name`. */
  readonly merchant: string;
  readonly mandate_ref: string;
  readonly reason: string;
}

/**
 * The pre-debit notice as the provider has it. Its content may come from an earlier call with the same key. `proof` is the
 * provider's answer, stored as evidence (text, no personal data). `sent_at` is null when the provider does not report it.
 */
export interface DebitNotice {
  readonly notice_reference: string;
  readonly proof: string;
  readonly amount: Decimal;
  readonly execute_at: Date;
  readonly sent_at: Date | null;
}

/** Our id of a notice at the provider, at most 35 alphanumerics: the idempotency key of `notifyDebit`. */
export function noticeKey({
  payment_reference,
  notice_number,
}: Pick<ProviderDebit, 'payment_reference' | 'notice_number'>): string {
  return notice_number === 1 ? payment_reference : `${payment_reference}N${notice_number}`;
}

/** The payment and the notice of such an id. Any id without a notice number belongs to the first notice. */
export function noticeOfKey(key: string): {
  readonly payment_reference: string;
  readonly notice_number: number;
} {
  const match = /^(P\d+)N([2-9])$/.exec(key);
  return match?.[1]
    ? { payment_reference: match[1], notice_number: Number(match[2]) }
    : { payment_reference: key, notice_number: 1 };
}

/**
 * What a provider reports later about an accepted notice. A notice that did not reach the investor allows no debit, and neither does one
 * whose debit the investor refuses: `opted_out`, which leaves the mandate as it is.
 */
export type NoticeStatus =
  | {
      readonly status: 'delivered';
      readonly proof: string;
      /** Null: not reported. */ readonly at: Date | null;
    }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'opted_out' };

/** An order at the provider under which an investor authorises, with the customer that a recurring SDK asks for. */
export interface MandateCheckoutOrder extends CheckoutOrder {
  readonly customer_id: string;
}

/** A provider's own checkout for authorisations (MAN-14, SDK options and hosted page). */
export interface MandateCheckout {
  /** Our public key id, which a client's SDK needs. */
  readonly keyId: string;
  /** Registers the authorisation. The same reference always returns the same order. */
  open(registration: MandateRegistration): Promise<Answer<MandateCheckoutOrder, PaymentFailureCode>>;
  /** Whether the SDK's signature proves these ids: constant time. It does not prove the authorisation. */
  isSigned(capture: SignedCapture): boolean;
  /** Starts an e-mandate at the bank's page, for the hosted page. The bank sends the browser back to `returnUrl`. */
  startEmandate(
    registration: MandateRegistration,
    order: MandateCheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>>;
}

/** A provider's notification about a mandate. `state` null: not understood, call `mandateStatus`. */
export interface MandateCallback {
  readonly event_id: string;
  readonly mandate_token: string;
  readonly state: MandateState['status'] | null;
}

/**
 * The mandate part of a payment provider (GATE-10): authorisations, their mandates, and debits.
 * A call without an answer is repeated with the same reference, and has one effect.
 */
export interface ProviderMandates {
  /** Registers the authorisation (UPI only) and returns NPCI's mandate linking URI of MAN-16, which matches the registration. */
  authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  /** Registers the authorisation (UPI only) and sends it to the payer's UPI app. `no` invalid_upi_id: the payer does not exist. */
  authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>>;
  /** The provider's own checkout; null where it has none. */
  readonly checkout: MandateCheckout | null;
  authorisationStatus(reference: string): Promise<Answer<AuthorisationStatus, PaymentFailureCode>>;
  /**
   * Cancels the authorisation: `yes` when it is void now or, if the provider has no cancellation, when nothing was authorised so
   * far; `no` (`already_authorised`) when it was. A later authorisation creates a surplus mandate.
   */
  cancelAuthorisation(reference: string): Promise<Answer<null>>;
  /** Ends the mandate at the provider; `yes` also when it had already ended. `reference` is the call's idempotency key. */
  revoke(mandate: ProviderMandate, reference: string): Promise<Answer<null>>;
  mandateStatus(mandate: ProviderMandate): Promise<Answer<MandateState>>;
  /** The types of mandates that may be created for it. */
  readonly types: readonly MandateType[];
  /** Whether it registers an Autopay mandate with a payment of one rupee, which its page must say. */
  readonly chargesOneRupee: boolean;
  /** Whether the provider, for lack of an idempotency key, may execute one attempt twice, so that money may be received twice. */
  readonly mayDebitTwice: boolean;
  /** Notifies the investor of the facts of the notice (UPI only), at least 24 h before the execution. */
  notifyDebit(notice: ProviderNotice): Promise<Answer<DebitNotice, PaymentFailureCode>>;
  /**
   * Withdraws the notice, by `debit.notice_reference`, or by our own id if its answer never came. Withdrawn before: `yes`; unknown
   * to the provider: `not_found`. If the provider cannot withdraw it, `yes` when nothing was or can be debited on it; `no`
   * (`already_executed`) when a debit was started.
   */
  withdrawNotice(debit: ProviderDebit): Promise<Answer<null>>;
  /** `yes`: accepted, the result follows. `no`: refused, nothing was or will be debited by this attempt. */
  executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>>;
  /** The status of this attempt; `not_found` when it never arrived. */
  debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>>;
  /**
   * Reads a callback to the provider's mandate address (/callbacks/gatewaypoa/mandates, routed to mandates); absent where it has
   * none, and reports on mandates among its other callbacks. Throws like `PaymentProvider.readCallback`.
   */
  readMandateCallback?(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback>;
}
