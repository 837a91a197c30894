import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { StoreRow } from '../store/simulator.tables.ts';
import { upiPayUri } from './upi-uri.ts';

export type ProviderPaymentRow = StoreRow<'payments'>;

/** What the request's maker decides about a payment. */
type AskedPayment = Omit<ProviderPaymentRow, keyof typeof UNPAID>;

const UNPAID = {
  ...{ status: 'awaiting_payer', provider_reference: null, failure_code: null, failure_message: null },
  ...{ transfer_refusal: null, third_party: false, captures: 0, first_reference: null },
} satisfies Partial<ProviderPaymentRow>;

/** A payment that waits for its payer. */
export function awaitPayer(asked: AskedPayment): ProviderPaymentRow {
  return { ...asked, ...UNPAID };
}

/** What the investor's page shows. */
export type PageState = 'waiting' | 'paid' | 'declined' | 'expired' | 'not_issued';

export function registerPayment(
  request: gatewaypoaWire.PaymentRequest,
  payeeName: string,
  vpa: string | null,
  now: Date,
): ProviderPaymentRow {
  const { reference, payment_id, tenant } = request;
  const amount = Decimal.ofPaise(request.amount_paise);
  const upi_uri = upiPayUri({ reference, payment_id, amount, payee_name: payeeName });
  return awaitPayer({
    ...{ kind: 'payment', provider: 'gatewaypoa', reference, payment_id, tenant, amount, upi_uri, vpa },
    ...{ payee_name: payeeName, expires_at: new Date(request.expires_at), created_at: now },
  });
}

/** Whether a repeated call describes the same payment. */
export function isSamePayment(
  row: ProviderPaymentRow,
  request: gatewaypoaWire.PaymentRequest,
  vpa: string | null,
): boolean {
  const same =
    row.provider === 'gatewaypoa' &&
    row.kind === 'payment' &&
    row.reference === request.reference &&
    row.payment_id === request.payment_id &&
    row.tenant === request.tenant &&
    row.vpa === vpa;
  return same && row.amount.toPaise() === request.amount_paise;
}

/**
 * Captures the payment, even when it was declined, was cancelled or has expired: that is the late authorisation (SAND-7). Throws
 * `IllegalTransition` when it is already captured.
 */
export function capture(
  row: ProviderPaymentRow,
  provider_reference: string,
  third_party = false,
): ProviderPaymentRow {
  if (row.status === 'captured') throw illegal(row, 'capture', 'captured');
  return {
    ...{ ...row, status: 'captured', captures: 1, provider_reference, third_party },
    ...{ failure_code: null, failure_message: null },
  };
}

/** Captures a second payment, which payers make when a UPI app responds slowly. Throws unless it was captured exactly once. */
export function captureAgain(row: ProviderPaymentRow, provider_reference: string): ProviderPaymentRow {
  if (row.captures !== 1) throw illegal(row, 'capture_again', 'captured twice');
  return {
    ...row,
    captures: 2,
    first_reference: row.provider_reference,
    provider_reference,
    third_party: false,
  };
}

/** The total money received, in rupees. */
export function receivedOf({ amount, captures }: Pick<ProviderPaymentRow, 'amount' | 'captures'>): Decimal {
  return Decimal.sum(Array.from({ length: captures }, () => amount));
}

/** A further attempt to pay: the request waits again, with the attempt's payer and expiry. Not for a paid request. */
export function reopenPayment(
  row: ProviderPaymentRow,
  attempt: Pick<ProviderPaymentRow, 'upi_uri' | 'vpa' | 'expires_at'>,
): ProviderPaymentRow {
  if (row.status === 'captured') throw illegal(row, 'reopen', 'awaiting_payer');
  return { ...row, ...attempt, status: 'awaiting_payer', failure_code: null, failure_message: null };
}

/** The payer or the bank declines. Throws `IllegalTransition` when the payment has ended. */
export function decline(
  row: ProviderPaymentRow,
  code: PaymentFailureCode,
  message: string,
): ProviderPaymentRow {
  if (row.status !== 'awaiting_payer') throw illegal(row, 'decline', 'declined');
  return { ...row, status: 'declined', failure_code: code, failure_message: message };
}

/** A step that comes by itself (COMP-11). Throws `IllegalTransition` when it can never come: the payment has failed. */
export function awaitStep(row: ProviderPaymentRow, step: string): void {
  if (row.status === 'declined' || row.status === 'cancelled') throw illegal(row, 'simulate', step);
}

/** We withdraw the request. Returns the same row when it ended unpaid, and null when it was paid. */
export function cancelPayment(row: ProviderPaymentRow): ProviderPaymentRow | null {
  if (row.status === 'captured') return null;
  return row.status === 'awaiting_payer' ? { ...row, status: 'cancelled' } : row;
}

/** Has the next transfer of this money rejected. Throws `IllegalTransition` while the payment is not captured. */
export function refuseTransfer(row: ProviderPaymentRow, code: string): ProviderPaymentRow {
  if (row.status !== 'captured' || row.transfer_refusal !== null)
    throw illegal(row, 'reject_transfer', 'transfer rejected');
  return { ...row, transfer_refusal: code };
}

/** The page accepts no approval after the request has expired. The provider itself still accepts one. */
export function pageState(row: ProviderPaymentRow, now: Date): PageState {
  switch (row.status) {
    case 'captured':
      return 'paid';
    case 'declined':
      return 'declined';
    case 'cancelled':
      return 'expired';
    case 'awaiting_payer':
      return now < row.expires_at ? 'waiting' : 'expired';
    default:
      return row.status satisfies never;
  }
}

/** The payment as in the provider's responses and callbacks. */
export function toPaymentObject(row: ProviderPaymentRow): gatewaypoaWire.PaymentObject {
  const { reference, failure_code, failure_message } = row;
  const upi_uri = row.vpa === null && row.upi_uri !== '' ? row.upi_uri : null;
  switch (row.status) {
    case 'captured': {
      const money = { amount_paise: row.amount.toPaise(), currency: 'INR' };
      const newest = { provider_reference: row.provider_reference ?? reference, ...money };
      const first = row.first_reference;
      return {
        reference,
        upi_uri,
        status: 'captured',
        ...newest,
        ...(first === null ? {} : { provider_reference: first, others: [newest] }),
        ...(row.third_party ? { third_party: true } : {}),
      };
    }
    case 'declined':
      return { reference, upi_uri, status: 'declined', failure_code, failure_message };
    case 'awaiting_payer':
    case 'cancelled':
      return { reference, upi_uri, status: row.status };
    default:
      return row.status satisfies never;
  }
}

function illegal(row: ProviderPaymentRow, trigger: string, to: string): IllegalTransition {
  return new IllegalTransition(`${row.provider} payment`, row.status, trigger, to);
}
