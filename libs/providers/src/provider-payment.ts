import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';

/** The investor's browser, by its own headers: providers require it for an attempt. */
export interface BrowserFacts {
  /** IPv4 or IPv6. */
  readonly ip: string;
  /** The URL of the page that the investor pays on, without secrets. */
  readonly referer: string;
  readonly user_agent: string;
}

/** A payment as sent to the provider. `reference` is ours, at most 35 alphanumerics, and the call's idempotency key. */
export interface ProviderPayment {
  readonly reference: string;
  readonly payment_id: number;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly currency: 'INR';
  /** The name that the investor sees: the tenant's `operator_name`. A URI with another name is not shown. */
  readonly payee_name: string;
  readonly payer: {
    readonly account_number: string;
    readonly ifsc_code: string;
    readonly name: string;
  } | null;
  /** The investor's contacts, which prefill a checkout. */
  readonly contact: { readonly email: string | null; readonly mobile: string | null };
  /** The browser with the hosted page; null when the investor is in the client's own app. */
  readonly browser: BrowserFacts | null;
  /** Business time after which the provider should not accept the money. */
  readonly expires_at: Date;
}

/** Received money, with the provider's own reference. */
export interface ProviderCapture {
  readonly provider_reference: string;
  readonly amount: Decimal;
  readonly currency: string;
  /** Whether it was paid by UPI; absent when the provider does not report the way. */
  readonly by_upi?: boolean;
}

/** The provider's status of a payment. `amount` and `currency` are those actually received. */
export type ProviderPaymentStatus =
  | {
      readonly status: 'waiting';
      /** With several attempts: why the newest one failed, while an older one may still succeed. */
      readonly newest_failed?: PaymentFailureCode;
    }
  | (ProviderCapture & {
      readonly status: 'captured';
      /** With several attempts: further received money, in the order of the attempts. Absent when there is none. */
      readonly others?: readonly ProviderCapture[];
      /** The paying account is not the payer's account that we sent to the provider (third-party validation). */
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

/** An order at the provider. The investor may make several attempts to pay it. */
export interface CheckoutOrder {
  readonly order_id: string;
}

/** What a provider's SDK returns to the client after a success (CAP-6). */
export interface SignedCapture {
  readonly order_id: string;
  readonly payment_id: string;
  readonly signature: string;
}
