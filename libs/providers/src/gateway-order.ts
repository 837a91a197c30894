import type { Decimal, SchemeCategory } from '@fundrail/contracts';

/** A purchase order as sent to the order gateway. `reference` is our order id and the call's idempotency key. */
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
  /** Whether a transfer brings money for this redemption; the registrar waits for it as for a purchase. */
  readonly collected: boolean;
}

/** The registrar's result. Dates are IST; price is the NAV in rupees. */
export interface RegistrarResult {
  readonly traded_on: string;
  readonly units: Decimal;
  readonly amount: Decimal;
  readonly price: Decimal;
  readonly folio_number: string;
  /** At least 80 % of the scheme is invested overseas, so its redemption may be paid out later. */
  readonly is_overseas?: boolean;
}

/** The payout of a redemption: when it was made, and the bank's reference (UTR). */
export interface Payout {
  readonly paid_at: Date;
  readonly reference: string;
}

/** The gateway's status of an order: its steps, in order. */
export interface GatewayOrderStatus {
  readonly review:
    | { readonly result: 'waiting' }
    /** The category of the order's scheme, where the gateway reports it. */
    | { readonly result: 'passed'; readonly scheme_category?: SchemeCategory }
    | { readonly result: 'failed'; readonly failure_code: string };
  readonly submission:
    | { readonly result: 'none' }
    | { readonly result: 'accepted'; readonly order_reference: string }
    | { readonly result: 'refused'; readonly failure_code: string };
  readonly outcome:
    | { readonly result: 'waiting' }
    | { readonly result: 'successful'; readonly details: RegistrarResult }
    | { readonly result: 'failed'; readonly failure_code: string }
    | { readonly result: 'reversed'; readonly failure_code: string | null };
  /** Of a redemption, once it was paid out; a gateway without the capability `payouts` reports none. */
  readonly payout?: Payout;
}

/** `event_id` is the provider's own and the inbox key; `status` is null when it is not understood (then request the order's status). */
export interface OrderCallback {
  readonly event_id: string;
  readonly reference: string;
  readonly status: GatewayOrderStatus | null;
}
