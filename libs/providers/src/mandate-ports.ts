import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  CallbackHeaders,
  CheckoutOrder,
  ProviderPayment,
  ProviderPaymentStatus,
  SignedCapture,
} from './ports.ts';

/** `UPI` is UPI Autopay, `E_MANDATE` is NACH by the bank's page (contract §4). */
export type ProviderMandateType = 'UPI' | 'E_MANDATE';

/** The account that a mandate debits. Banks ask for its type, as contract §1 "Investors" names them. */
export type MandatePayer = NonNullable<ProviderPayment['payer']> & {
  readonly account_type: 'savings' | 'current' | 'nre' | 'nro';
};

/**
 * What the investor is asked to authorise. `reference` is the AUTH_TRANSACTION payment's, at most 35 alphanumerics, and the
 * call's idempotency key: another authorisation of the same mandate has another one. `limit` is in rupees, the dates are IST.
 */
export interface MandateRegistration {
  readonly reference: string;
  readonly payment_id: number;
  readonly mandate_id: number;
  readonly tenant: string;
  readonly mandate_ref: string;
  readonly mandate_type: ProviderMandateType;
  readonly limit: Decimal;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly payer: MandatePayer;
  readonly contact: ProviderPayment['contact'];
  /** The browser that has the hosted page open; left out where the investor is in the client's own app. */
  readonly browser?: ProviderPayment['browser'];
  /** Business time after which the provider should not take the authorisation any more. */
  readonly expires_at: Date;
}

/**
 * How a provider knows a mandate. `mandate_token` is its own name of it, `provider_id` what it needs besides (Razorpay's
 * customer; null where nothing), `umrn` NPCI's number of it (UMRN of an e-mandate, UMN of Autopay) when it is told.
 */
export interface ProviderMandate {
  readonly mandate_type: ProviderMandateType;
  readonly mandate_token: string;
  readonly provider_id: string | null;
  readonly umrn: string | null;
}

/** A mandate that came to be besides the one that was wanted. */
export type SurplusMandate = Pick<ProviderMandate, 'mandate_token' | 'provider_id' | 'umrn'>;

/**
 * How an authorisation stands. `received`: the investor agreed and the provider has it; `submitted`: the bank has it, and may
 * take days; `approved`: debits may be made; `failed`: this attempt came to nothing, another may follow; `rejected`: the bank
 * refused the mandate itself, which is its end (the payment fails too, with the code).
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
      /** Further mandates that the investor made under it, by another attempt: surplus. */
      readonly others?: readonly SurplusMandate[];
    }
  | {
      readonly status: 'failed' | 'rejected';
      readonly failure_code: PaymentFailureCode;
      readonly message: string;
    };

/** What became of a mandate at the provider. The investor pauses, resumes and revokes it in the UPI app or at the bank. */
export interface MandateState {
  readonly status: 'active' | 'paused' | 'cancelled' | 'expired' | 'rejected';
}

/**
 * One attempt of a debit. `reference` is the attempt's own, at most 35 alphanumerics, and the calls' idempotency key: the
 * same attempt twice is one debit, a further attempt has a further one. `payment_reference` is the payment's, the same for
 * all attempts, and what callbacks about it are told by. Amount in rupees.
 */
export interface ProviderDebit {
  readonly reference: string;
  readonly payment_reference: string;
  readonly payment_id: number;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly mandate: ProviderMandate;
  /** 1 is the attempt, 2-4 are its retries. */
  readonly attempt: number;
  /** When it is planned to be executed, business time: what the notice tells the investor. */
  readonly execute_at: Date;
  /** Which notice of the payment, from 1: a further one tells of another day. With the payment's reference it is the call's key. */
  readonly notice_number: number;
  /** What `notifyDebit` answered for that notice: each attempt is made on it. Null before it, and for e-mandates. */
  readonly notice_reference: string | null;
  readonly contact: ProviderPayment['contact'];
}

/**
 * The pre-debit notice as the provider has it: what the investor was told, which an earlier call under the same key may have
 * said. `proof` is what the provider answered, kept as evidence (text, no personal data). `sent_at` is null where the provider
 * does not say it.
 */
export interface DebitNotice {
  readonly notice_reference: string;
  readonly proof: string;
  readonly amount: Decimal;
  readonly execute_at: Date;
  readonly sent_at: Date | null;
}

/** Our own name of a notice at the provider, at most 35 alphanumerics: the idempotency key of `notifyDebit`. */
export function noticeKey({
  payment_reference,
  notice_number,
}: Pick<ProviderDebit, 'payment_reference' | 'notice_number'>): string {
  return notice_number === 1 ? payment_reference : `${payment_reference}N${notice_number}`;
}

/** The payment and the notice that such a name stands for. What is no name of a further notice is the first one's. */
export function noticeOfKey(key: string): {
  readonly payment_reference: string;
  readonly notice_number: number;
} {
  const match = /^(P\d+)N([2-9])$/.exec(key);
  return match?.[1]
    ? { payment_reference: match[1], notice_number: Number(match[2]) }
    : { payment_reference: key, notice_number: 1 };
}

/** What a provider tells later about a notice that it accepted. A notice that did not reach the investor allows no debit. */
export type NoticeStatus =
  | { readonly status: 'delivered'; readonly proof: string; /** Null: not said. */ readonly at: Date | null }
  | { readonly status: 'failed'; readonly message: string };

/** An order at the provider under which an investor authorises, with the customer that a recurring SDK asks for. */
export interface MandateCheckoutOrder extends CheckoutOrder {
  readonly customer_id: string;
}

/** A provider's own checkout for authorisations (contract §4, SDK options and hosted page). */
export interface MandateCheckout {
  /** What a client's SDK needs to name us. */
  readonly keyId: string;
  /** Registers the authorisation; again under the same reference answers the same order. */
  open(registration: MandateRegistration): Promise<Answer<MandateCheckoutOrder, PaymentFailureCode>>;
  /** Whether the SDK's signature proves these ids: constant time. It does not prove the authorisation. */
  isSigned(capture: SignedCapture): boolean;
  /** Begins an e-mandate at the bank's page, for the hosted page; `returnUrl` is where the bank sends the browser back. */
  startEmandate(
    registration: MandateRegistration,
    order: MandateCheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>>;
}

/** A provider's notification about a mandate. `state` null: not understood, ask `mandateStatus`. */
export interface MandateCallback {
  readonly event_id: string;
  readonly mandate_token: string;
  readonly state: MandateState['status'] | null;
}

/**
 * The mandate side of a payment provider (contract §4): authorisations, the mandates they make, and debits.
 * A call without an answer is repeated with the same reference, and has one effect.
 */
export interface ProviderMandates {
  /** Registers the authorisation (UPI only) and answers NPCI's mandate linking URI of contract §4, which fits the registration. */
  authoriseByUri(
    registration: MandateRegistration,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  /** Registers the authorisation (UPI only) and asks the payer's UPI app. `no` invalid_upi_id: there is no such payer. */
  authoriseByCollect(
    registration: MandateRegistration,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>>;
  /** The provider's own checkout; null where it has none. */
  readonly checkout: MandateCheckout | null;
  authorisationStatus(reference: string): Promise<Answer<AuthorisationStatus, PaymentFailureCode>>;
  /**
   * Asks that nothing be authorised any more: `yes` when void now or, where the provider knows no cancellation, when nothing
   * was authorised so far; `no` (`already_authorised`) when it was. What is authorised later is a surplus mandate.
   */
  cancelAuthorisation(reference: string): Promise<Answer<null>>;
  /** Ends the mandate there. Ended before, by whomever: `yes`. `reference` is the call's idempotency key. */
  revoke(mandate: ProviderMandate, reference: string): Promise<Answer<null>>;
  mandateStatus(mandate: ProviderMandate): Promise<Answer<MandateState>>;
  /** Whether one attempt may be worked twice there, for want of an idempotency key: then money may come twice for it. */
  readonly mayDebitTwice: boolean;
  /** Tells the investor amount and date (UPI only), at least 24 h before the execution. */
  notifyDebit(debit: ProviderDebit): Promise<Answer<DebitNotice, PaymentFailureCode>>;
  /**
   * Takes the notice back, by `debit.notice_reference`, or by our own name of it where its answer never came; taken back
   * before: `yes`; never heard of: `not_found`. Where the provider cannot take it back, `yes` when nothing was or can be
   * debited on it; `no` (`already_executed`) when a debit was begun.
   */
  withdrawNotice(debit: ProviderDebit): Promise<Answer<null>>;
  /** `yes`: accepted, the result comes. `no`: refused at once, nothing was or will be debited by this attempt. */
  executeDebit(debit: ProviderDebit): Promise<Answer<null, PaymentFailureCode>>;
  /** How this attempt stands; `not_found` when it never arrived. */
  debitStatus(debit: ProviderDebit): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>>;
  /**
   * Reads what comes to the provider's mandate address (/callbacks/gatewaypoa/mandates, routed to mandates). Throws as
   * `PaymentProvider.readCallback` does.
   */
  readMandateCallback(headers: CallbackHeaders, rawBody: string): Promise<MandateCallback>;
}
