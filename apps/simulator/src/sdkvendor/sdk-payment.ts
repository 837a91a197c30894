import type { Decimal, PaymentFailureCode } from '@fundrail/contracts';
import { sdkvendorReason } from '@fundrail/providers/sdkvendor';
import type { AttemptFacts, StoreRow } from '../store/simulator.tables.ts';
import { inSeconds } from './listing.ts';

export type SdkPaymentRow = StoreRow<'attempts'>;

/** What an attempt has only if its method needs it, or once it has failed. */
const LEFT_OUT = {
  ...{ bank: null, vpa: null, email: null, contact: null, callback_url: null, notes: [] },
  ...{ error_reason: null, error_description: null },
};

/** An attempt that has just started. */
export function newAttempt(
  facts: Omit<SdkPaymentRow, 'status' | keyof typeof LEFT_OUT> & Partial<SdkPaymentRow>,
): SdkPaymentRow {
  return { ...LEFT_OUT, ...facts, status: 'created' };
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
export function toPaymentObject(row: SdkPaymentRow & Partial<AttemptFacts>, refunded: Decimal) {
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
