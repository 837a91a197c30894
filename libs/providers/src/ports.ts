import type { Answer, CallbackHeaders } from './answer.ts';
import type { BookPage, BookQuery, BookedOrder, BookedTransfer, ProviderBooks } from './book-ports.ts';
import type { GatewayOrder, GatewayOrderStatus, OrderCallback } from './gateway-order.ts';
import type { AuthorisationStatus, MandateState, NoticeStatus, ProviderMandates } from './mandate-ports.ts';
import type {
  CheckoutOrder,
  ProviderPayment,
  ProviderPaymentStatus,
  ProviderRefund,
  RefundStatus,
  SignedCapture,
  TransferShare,
  TransferStatus,
} from './provider-payment.ts';
import type { PaymentFailureCode, ProviderName } from '@fundrail/contracts';

/** The order gateway (GATE-1): review, submit, status, and signed callbacks. */
export interface OrderGateway {
  /** Whether it reports the payouts of redemptions. */
  readonly payouts?: boolean;
  requestReview(order: GatewayOrder): Promise<Answer<null>>;
  submit(order: GatewayOrder): Promise<Answer<{ readonly order_reference: string }>>;
  status(reference: string): Promise<Answer<GatewayOrderStatus>>;
  /** Its orders, page by page; absent when it has no list. */
  listOrders?(query: BookQuery): Promise<Answer<BookPage<BookedOrder>>>;
  /** Checks the signature over the raw body. Throws `BadSignature`. The callback contains the changed order and its status. */
  readCallback(headers: CallbackHeaders, rawBody: string): OrderCallback;
}

/**
 * A callback of the provider: what changed, by our own reference. `fact` null: not understood, request the status. An authorisation
 * and a debit have their payment's reference, a mandate its token, because the provider has no other id of it.
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

/** A provider's own checkout: the order for an SDK's options, and the attempts that the hosted page starts under it. */
export interface ProviderCheckout {
  /** Our public key id, which a client's SDK needs. */
  readonly keyId: string;
  /** Registers the payment. The same reference always returns the same order. */
  createOrder(payment: ProviderPayment): Promise<Answer<CheckoutOrder, PaymentFailureCode>>;
  /** Whether the SDK's signature proves these ids (CAP-6, CAP-7): constant time. It does not prove the capture. */
  isSigned(capture: SignedCapture): boolean;
  /** Starts an attempt under the order, for the hosted page. */
  startUpiIntent(
    payment: ProviderPayment,
    order: CheckoutOrder,
  ): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  startUpiCollect(
    payment: ProviderPayment,
    order: CheckoutOrder,
    vpa: string,
  ): Promise<Answer<null, PaymentFailureCode>>;
  /** Returns the URL of the bank's page. The bank sends the browser back to `returnUrl` (our capture route). */
  startNetbanking(
    payment: ProviderPayment,
    order: CheckoutOrder,
    bankCode: string,
    returnUrl: string,
  ): Promise<Answer<{ readonly redirect_url: string }, PaymentFailureCode>>;
}

/** A payment provider (GATE-10). */
export interface PaymentProvider {
  readonly name: ProviderName;
  /** The header in which it signs its callbacks. */
  readonly signatureHeader: string;
  /**
   * Whether the provider chooses the `tr` of its UPI URIs and the format of `am`. Its answers and callbacks still use our reference;
   * the `tr` is stored with the URI.
   */
  readonly drawsTr: boolean;
  /** Whether it refuses payments, authorisations and debits by UPI without the payer's e-mail address and mobile number. */
  readonly needsContact: boolean;
  /** Registers the payment and returns the NPCI UPI linking URI; its `tr` is our reference unless `drawsTr`. */
  issueUpiUri(payment: ProviderPayment): Promise<Answer<{ readonly uri: string }, PaymentFailureCode>>;
  /** Registers the payment and requests the money from the payer's UPI app. `no` invalid_upi_id: the payer does not exist. */
  sendCollect(payment: ProviderPayment, vpa: string): Promise<Answer<null, PaymentFailureCode>>;
  /** The provider's own checkout, for the hosted page and for SDKs; null when it has none. */
  readonly checkout: ProviderCheckout | null;
  /** Authorisations and debits (GATE-10); null when it supports none. */
  readonly mandates: ProviderMandates | null;
  /** Its lists; absent when it has none. */
  readonly books?: ProviderBooks;
  /** What transfers money to the order gateway; absent where it is not the order gateway too. */
  readonly transferGateway?: TransferGateway;
  paymentStatus(reference: string): Promise<Answer<ProviderPaymentStatus, PaymentFailureCode>>;
  /**
   * Cancels the payment: `yes` when it is void now or, if the provider has no cancellation, when no money was received so far;
   * `no` (`already_paid`) when it was paid.
   */
  cancel(reference: string): Promise<Answer<null>>;
  refund(refund: ProviderRefund): Promise<Answer<RefundStatus>>;
  /** The status of an accepted refund. Takes the whole refund, because not every provider finds it by its reference. */
  refundStatus(refund: ProviderRefund): Promise<Answer<RefundStatus>>;
  /**
   * Checks the signature over the raw body and reads it. Throws `BadSignature`, `UnreadableCallback`, or `CallbackUnresolved` when
   * only the provider knows the callback's payment and does not answer. Call it outside any transaction.
   */
  readCallback(headers: CallbackHeaders, rawBody: string): Promise<PaymentCallback>;
  /** Waits for running calls and closes the connections, when its service stops. */
  close?(): Promise<void>;
}

/** A transfer of one payment's money to the order gateway. `reference` is the transfer's own and its idempotency key. */
export interface Transfer {
  readonly reference: string;
  readonly payment_reference: string;
  readonly shares: readonly TransferShare[];
}

/** Transfers received money to the order gateway (XFER-1). */
export interface TransferGateway {
  transfer(transfer: Transfer): Promise<Answer<TransferStatus>>;
  transferStatus(reference: string): Promise<Answer<TransferStatus>>;
  /** Its transfers, page by page; absent when it has no list. */
  listTransfers?(query: BookQuery): Promise<Answer<BookPage<BookedTransfer>>>;
}
