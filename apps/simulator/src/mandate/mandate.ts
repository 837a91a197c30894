import { istDate, type Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';

/** A mandate at the simulated provider, from its authorisation on. `max_amount` is in rupees; both dates are in IST and inclusive. */
export interface MandateRow {
  /** The reference of the authorisation, which has a row among the provider's payments. */
  readonly reference: string;
  readonly provider: 'gatewaypoa' | 'sdkvendor';
  /** Null when sdkvendor's order does not name one of our mandates. */
  readonly mandate_id: number | null;
  readonly tenant: string;
  readonly mandate_type: 'UPI' | 'E_MANDATE';
  readonly max_amount: Decimal;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly status: MandateStatus;
  /** Drawn when the investor authorises it. */
  readonly token: string | null;
  readonly umrn: string | null;
  /** Razorpay's. */
  readonly customer_id: string | null;
  /** The token was deleted at Razorpay. */
  readonly deleted: boolean;
  readonly created_at: Date;
}
type MandateStatus =
  'unauthorised' | 'received' | 'submitted' | 'active' | 'paused' | 'cancelled' | 'rejected';

/** The steps of the investor and the bank. */
export type MandateStep = 'approve' | 'receive' | 'submit' | 'reject' | 'pause' | 'resume' | 'revoke';

const STEPS: Record<MandateStep, { readonly from: readonly MandateStatus[]; readonly to: MandateStatus }> = {
  receive: { from: ['unauthorised'], to: 'received' },
  submit: { from: ['unauthorised', 'received'], to: 'submitted' },
  approve: { from: ['unauthorised', 'received', 'submitted'], to: 'active' },
  reject: { from: ['unauthorised', 'received', 'submitted'], to: 'rejected' },
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  revoke: { from: ['active', 'paused'], to: 'cancelled' },
};

/** The names of a mandate, from its authorisation on. */
export interface MandateNames {
  readonly token: string;
  readonly umrn: string;
}

/** Throws `IllegalTransition` when the step is not possible in the mandate's status. Repeating a step is not possible either. */
export function stepMandate(row: MandateRow, step: MandateStep, names: MandateNames): MandateRow {
  const { from, to } = STEPS[step];
  if (!from.includes(row.status))
    throw new IllegalTransition(`${row.provider} mandate`, row.status, step, to);
  return { ...row, status: to, token: row.token ?? names.token, umrn: row.umrn ?? names.umrn };
}

/** A live mandate expires after its last day, without an event. */
export function hasExpired(row: MandateRow, now: Date): boolean {
  return (row.status === 'active' || row.status === 'paused') && istDate(now) > row.valid_to;
}

/** The authorisation as in gatewaypoa's responses and callbacks. */
export function toAuthorisationObject(
  payment: ProviderPaymentRow,
  mandate: MandateRow,
): gatewaypoaWire.AuthorisationObject {
  const { reference } = payment;
  const about = { reference, upi_uri: payment.vpa === null ? payment.upi_uri : null };
  const { token: mandate_token, umrn } = mandate;
  switch (mandate.status) {
    case 'unauthorised':
      return { ...about, ...openOf(payment) };
    case 'received':
    case 'submitted':
      return { ...about, status: mandate.status, mandate_token, umrn };
    case 'rejected': {
      const { failure_code, failure_message } = payment;
      return { ...about, status: 'rejected', failure_code, failure_message };
    }
    case 'active':
    case 'paused':
    case 'cancelled': {
      const provider_reference = payment.provider_reference ?? reference;
      return {
        ...about,
        status: 'approved',
        provider_reference,
        mandate_token: mandate_token ?? reference,
        umrn,
      };
    }
    default:
      return impossible(mandate.status);
  }
}

function openOf({ status, failure_code, failure_message }: ProviderPaymentRow) {
  if (status === 'declined') return { status, failure_code, failure_message };
  return status === 'cancelled' ? { status } : { status: 'awaiting_payer' as const };
}

/** The mandate as in gatewaypoa's responses and callbacks; null before it is authorised. */
export function toMandateObject(row: MandateRow, now: Date): gatewaypoaWire.MandateObject | null {
  const mandate_token = row.token;
  if (mandate_token === null) return null;
  if (hasExpired(row, now)) return { mandate_token, status: 'expired' };
  switch (row.status) {
    case 'active':
    case 'paused':
    case 'rejected':
      return { mandate_token, status: row.status };
    case 'cancelled':
      return { mandate_token, status: 'revoked' };
    // It already has a name, but debits are not allowed yet.
    case 'unauthorised':
    case 'received':
    case 'submitted':
      return null;
    default:
      return impossible(row.status);
  }
}

function impossible(status: never): never {
  throw new Error(`unknown status: ${String(status)}`);
}
