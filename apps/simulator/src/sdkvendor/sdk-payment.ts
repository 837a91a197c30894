import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import { sdkvendorReason } from '@fundrail/providers';
import type { Notes } from './sdk-order.ts';
import { inSeconds } from './listing.ts';

/** An attempt to pay an order of the simulated Razorpay; amount in rupees. */
export interface SdkPaymentRow {
  readonly id: string;
  readonly order_id: string;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly currency: string;
  readonly method: 'upi' | 'netbanking' | 'emandate';
  readonly bank: string | null;
  readonly vpa: string | null;
  readonly email: string | null;
  readonly contact: string | null;
  /** The URL to which the bank's page returns the investor's browser. */
  readonly callback_url: string | null;
  readonly notes: Notes;
  readonly status: 'created' | 'captured' | 'failed';
  readonly error_reason: string | null;
  readonly error_description: string | null;
  readonly created_at: Date;
}

/** The mandate that an authorisation attempt creates, and its customer; both null for any other attempt. */
export interface PaymentToken {
  readonly token_id: string | null;
  readonly customer_id: string | null;
}

/** How an attempt ends. */
export type AttemptEnd =
  | { readonly status: 'captured' }
  | { readonly status: 'failed'; readonly failure_code: PaymentFailureCode; readonly message: string };

export function endAttempt(row: SdkPaymentRow, end: AttemptEnd): SdkPaymentRow {
  if (end.status === 'captured')
    return { ...row, status: 'captured', error_reason: null, error_description: null };
  const error_reason = sdkvendorReason(end.failure_code);
  return { ...row, status: 'failed', error_reason, error_description: end.message };
}

/**
 * The attempt on which a simulated investor acts: the last open one, else the last one, or null when there is none. A second payment uses
 * a different attempt from the first. `attempts` are newest first.
 */
export function attemptToPlay(attempts: readonly SdkPaymentRow[], captures: number): SdkPaymentRow | null {
  const unpaid = captures > 1 ? attempts.filter(({ status }) => status !== 'captured') : attempts;
  return unpaid.find(({ status }) => status === 'created') ?? unpaid[0] ?? null;
}

/** The attempt as in Razorpay's responses and webhooks. `refunded` includes refunds in progress. */
export function toPaymentObject(row: SdkPaymentRow & Partial<PaymentToken>, refunded: Decimal) {
  const isWhole = refunded.isPositive() && refunded.compare(row.amount) >= 0;
  const captured = row.status === 'captured';
  const partly = refunded.toPaise() > 0 ? 'partial' : null;
  return {
    ...{ id: row.id, entity: 'payment', amount: row.amount.toPaise(), currency: row.currency },
    status: captured && isWhole ? 'refunded' : row.status,
    ...{ order_id: row.order_id, invoice_id: null, international: false, method: row.method },
    ...{
      amount_refunded: refunded.toPaise(),
      refund_status: captured && isWhole ? 'full' : partly,
      captured,
    },
    ...{ description: null, card_id: null, bank: row.bank, wallet: null, vpa: row.vpa },
    ...{
      email: row.email,
      contact: row.contact,
      notes: row.notes,
      fee: captured ? 0 : null,
      tax: captured ? 0 : null,
    },
    ...errorOf(row),
    ...{ token_id: captured ? (row.token_id ?? null) : null, customer_id: row.customer_id ?? null },
    acquirer_data: {},
    created_at: inSeconds(row.created_at),
  };
}

function errorOf({ status, error_reason, error_description }: SdkPaymentRow) {
  if (status !== 'failed')
    return {
      error_code: null,
      error_description: null,
      error_source: null,
      error_step: null,
      error_reason: null,
    };
  const where = { error_source: 'customer', error_step: 'payment_authentication' };
  return { error_code: 'BAD_REQUEST_ERROR', error_description, ...where, error_reason };
}
