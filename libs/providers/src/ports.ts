import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import type { BookedOrder, BookedTransfer, BookPage, BookQuery, ProviderBooks } from './book-ports.ts';
import type { AuthorisationStatus, MandateState, NoticeStatus, ProviderMandates } from './mandate-ports.ts';

/**
 * What an outside system told us (architecture, rule 4 "Unknown is not failed"). `no` is the system's own refusal;
 * `unknown` is no answer, or one that we do not understand: the object stays where it is and is asked about again;
 * `too_many_requests` and `not_sent` are no answers either, but for certain nothing was done: the same call may be made again
 * after a while.
 * `not_found` means the call never arrived there: it is sent again with the same key.
 */
export type Answer<T, Code extends string = string> =
  | { readonly kind: 'yes'; readonly value: T }
  | { readonly kind: 'no'; readonly failure_code: Code; readonly message: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly why: 'no_answer' | 'not_understood'; readonly detail: string }
  | NotDone;

/** The system takes no more calls for so long (429), or we send it none (decision 0024). Nothing of this one was done. */
export interface NotDone {
  readonly kind: 'unknown';
  readonly why: 'too_many_requests' | 'not_sent';
  readonly detail: string;
  readonly retry_after_ms: number;
}

/** Whether the call did nothing for certain, and may be made again after a while. */
export function isNotDone(answer: Answer<unknown>): answer is NotDone {
  return answer.kind === 'unknown' && (answer.why === 'too_many_requests' || answer.why === 'not_sent');
}

/** The same answer where a call before it may have had its effect: nothing is certain any more. */
export function inDoubt<T, C extends string>(answer: Answer<T, C>): Answer<T, C> {
  return isNotDone(answer) ? { kind: 'unknown', why: 'no_answer', detail: answer.detail } : answer;
}

/** A purchase order as the order gateway is told of it. `reference` is our order id and the call's idempotency key. */
export interface GatewayOrder {
  readonly reference: string;
  readonly tenant: string;
  readonly old_id: number;
  readonly kind: 'purchase' | 'redemption';
  readonly investment_account: string;
  readonly scheme: string;
  readonly folio_number: string | null;
  readonly amount: Decimal | null;
  readonly units: Decimal | null;
  readonly euin: string | null;
}

/** The registrar's result. Dates are IST; price is the NAV in rupees. */
export interface RegistrarResult {
  readonly traded_on: string;
  readonly units: Decimal;
  readonly amount: Decimal;
  readonly price: Decimal;
  readonly folio_number: string;
}

/** What the gateway says of an order: the steps that are behind it, in their order. */
export interface GatewayOrderStatus {
  readonly review:
    { readonly result: 'waiting' | 'passed' } | { readonly result: 'failed'; readonly failure_code: string };
  readonly submission:
    | { readonly result: 'none' }
    | { readonly result: 'accepted'; readonly order_reference: string }
    | { readonly result: 'refused'; readonly failure_code: string };
  readonly outcome:
    | { readonly result: 'waiting' }
    | { readonly result: 'successful'; readonly details: RegistrarResult }
    | { readonly result: 'failed'; readonly failure_code: string }
    | { readonly result: 'reversed'; readonly failure_code: string | null };
}

/** The order gateway (contract §2): review, submit, status, and signed callbacks. */
export interface OrderGateway {
  requestReview(order: GatewayOrder): Promise<Answer<null>>;
  submit(order: GatewayOrder): Promise<Answer<{ readonly order_reference: string }>>;
  status(reference: string): Promise<Answer<GatewayOrderStatus>>;
  /** Its orders, page by page; absent where it keeps no list. */
  listOrders?(query: BookQuery): Promise<Answer<BookPage<BookedOrder>>>;
  /** Checks the signature over the raw body. Throws `BadSignature`. The callback says which order changed and what is now so. */
  readCallback(headers: CallbackHeaders, rawBody: string): OrderCallback;
}

export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** `event_id` is the provider's own and the inbox key; `status` is null when it is not understood (the order is then asked about). */
export interface OrderCallback {
  readonly event_id: string;
  readonly reference: string;
  readonly status: GatewayOrderStatus | null;
}

/** Where an attempt is begun from, as far as a provider wants to know: the investor's browser, by its own headers. */
export interface BrowserFacts {
  /** IPv4 or IPv6. */
  readonly ip: string;
  /** The page that the investor pays from, without anything secret in it. */
  readonly referer: string;
  readonly user_agent: string;
}

/** A payment as the provider is told of it. `reference` is ours, at most 35 alphanumerics, and the call's idempotency key. */
export interface ProviderPayment {
  readonly reference: string;
  readonly payment_id: number;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly currency: 'INR';
  readonly payer: {
    readonly account_number: string;
    readonly ifsc_code: string;
    readonly name: string;
  } | null;
  /** How the investor is reached: what a checkout is prefilled with. */
  readonly contact: { readonly email: string | null; readonly mobile: string | null };
  /** The browser that has the hosted page open; null where the investor is in the client's own app. */
  readonly browser: BrowserFacts | null;
  /** Business time after which the provider should not take the money any more. */
  readonly expires_at: Date;
}

/** Money that came in, under the provider's own reference. */
export interface ProviderCapture {
  readonly provider_reference: string;
  readonly amount: Decimal;
  readonly currency: string;
}

/** What the provider says of a payment. `amount` and `currency` are what really came in. */
export type ProviderPaymentStatus =
  | {
      readonly status: 'waiting';
      /** Where it may be tried more than once: why the newest attempt failed, while an older one may still succeed. */
      readonly newest_failed?: PaymentFailureCode;
    }
  | (ProviderCapture & {
      readonly status: 'captured';
      /** Where it may be tried more than once: what came in besides, in the order of the attempts. Absent when nothing did. */
      readonly others?: readonly ProviderCapture[];
      /** The account that paid is not the payer's that the provider was told (third-party validation). */
      readonly third_party?: boolean;
    })
  | { readonly status: 'failed'; readonly failure_code: PaymentFailureCode; readonly message: string };

/** One order's share of the money that a transfer takes to the order gateway. Amount in rupees. */
export interface TransferShare {
  readonly order: string;
  readonly old_id: number;
  readonly amount: Decimal;
}
export type TransferStatus =
  | { readonly status: 'waiting' }
  | { readonly status: 'settled' }
  | { readonly status: 'rejected'; readonly failure_code: string };

export interface ProviderRefund {
  readonly reference: string;
  readonly payment_reference: string;
  readonly amount: Decimal;
}
export type RefundStatus =
  | { readonly status: 'waiting' }
  | { readonly status: 'successful' }
  | { readonly status: 'failed'; readonly failure_code: string };

/**
 * A callback of the provider: what changed, by our own reference. `fact` null: not understood, ask. An authorisation and a
 * debit are told by their payment's reference, a mandate by its token, because the provider knows no other name of it.
 */
export interface PaymentCallback {
  readonly event_id: string;
  readonly reference: string;
  readonly fact:
    | { readonly about: 'payment'; readonly payment: ProviderPaymentStatus }
    | { readonly about: 'transfer'; readonly transfer: TransferStatus }
    | { readonly about: 'refund'; readonly refund: RefundStatus }
    | { readonly about: 'authorisation'; readonly authorisation: AuthorisationStatus }
    | {
        readonly about: 'debit';
        readonly attempt_reference: string;
        readonly payment: ProviderPaymentStatus;
      }
    | { readonly about: 'notice'; readonly notice_number: number; readonly notice: NoticeStatus }
    | { readonly about: 'mandate'; readonly mandate_token: string; readonly state: MandateState['status'] }
    | null;
}

/** An order at the provider under which an investor may try to pay more than once. */
export interface CheckoutOrder {
  readonly order_id: string;
}

/** What a provider's SDK hands to the client after a success (contract §3 "SDK capture"). */
export interface SignedCapture {
  readonly order_id: string;
  readonly payment_id: string;
  readonly signature: string;
}

/** A provider's own checkout: the order behind an SDK's options, and the attempts that the hosted page begins under it. */
export interface ProviderCheckout {
  /** What a client's SDK needs to name us. */
  readonly keyId: string;
  /** Registers the payment; again under the same reference answers the same order. */
  createOrder(payment: ProviderPayment): Promise<Answer<CheckoutOrder, PaymentFailureCode>>;
  /** Whether the SDK's signature proves these ids (contract §3 "SDK capture"): constant time. It does not prove the capture. */
  isSigned(capture: SignedCapture): boolean;
  /** Begins an attempt under the order, for the hosted page. */
  startUpiIntent(
    payment: ProviderPayment,
    order: CheckoutOrder,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  startUpiCollect(
    payment: ProviderPayment,
    order: CheckoutOrder,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>>;
  /** Where the investor's browser goes for the bank's page; `returnUrl` is where the bank sends it back (our capture route). */
  startNetbanking(
    payment: ProviderPayment,
    order: CheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>>;
}

/** A payment provider (contract §3). */
export interface PaymentProvider {
  readonly name: 'GATEWAYPOA' | 'SDKVENDOR';
  /**
   * Whether the `tr` of its UPI URIs, and how it writes `am`, are the provider's own choice. Its answers and callbacks go by
   * our reference all the same; the `tr` is kept with the URI.
   */
  readonly drawsTr: boolean;
  /** Registers the payment and answers the NPCI UPI linking URI, its `tr` our reference unless `drawsTr`. */
  issueUpiUri(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  /** Registers the payment and asks the payer's UPI app for the money. `no` invalid_upi_id: there is no such payer. */
  sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>>;
  /** The provider's own checkout, for the hosted page and for SDKs; null where it has none. */
  readonly checkout: ProviderCheckout | null;
  /** Authorisations and debits (contract §4); null where it takes none. */
  readonly mandates: ProviderMandates | null;
  /** Its lists; absent where it keeps none. */
  readonly books?: ProviderBooks;
  paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>>;
  /**
   * Asks that nothing be taken any more: `yes` when void now or, where the provider knows no cancellation, when nothing has
   * come in so far; `no` (`already_paid`) when it was paid already.
   */
  cancel(reference: string): Promise<Answer<null>>;
  refund(refund: ProviderRefund): Promise<Answer<RefundStatus>>;
  /** How a refund that was accepted stands. The whole of it, because not every provider finds it by its reference alone. */
  refundStatus(refund: ProviderRefund): Promise<Answer<RefundStatus>>;
  /**
   * Checks the signature over the raw body and reads what it tells. Throws `BadSignature`, `UnreadableCallback`, or
   * `CallbackUnresolved` when the provider has to be asked whose it is and does not answer. Call it outside any transaction.
   */
  readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback>;
}

/** The money of one payment on its way to the order gateway. `reference` is the transfer's own and its idempotency key. */
export interface Transfer {
  readonly reference: string;
  readonly payment_reference: string;
  readonly shares: readonly TransferShare[];
}

/** Takes received money to the order gateway (contract §3 "The transfer"). */
export interface TransferGateway {
  transfer(transfer: Transfer): Promise<Answer<TransferStatus>>;
  transferStatus(reference: string): Promise<Answer<TransferStatus>>;
  /** Its transfers, page by page; absent where it keeps no list. */
  listTransfers?(query: BookQuery): Promise<Answer<BookPage<BookedTransfer>>>;
}

/** The callback is not the provider's, or is too old: answer 400 and change nothing. */
export class BadSignature extends Error {}

/** The callback is signed, but not even which object it is about can be read: answer 400 and change nothing. */
export class UnreadableCallback extends Error {}

/** The callback is signed, but whose it is could not be found out now: answer 503, so that it comes again. */
export class CallbackUnresolved extends Error {}
