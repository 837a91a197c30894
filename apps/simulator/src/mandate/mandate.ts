import { istDate } from '@fundrail/contracts';
import type { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';

/** A mandate at the played provider, from its authorisation on. `max_amount` in rupees, the dates are Indian and both included. */
export interface MandateRow {
  /** The authorisation's, whose row is among the provider's payments. */
  readonly reference: string;
  readonly provider: 'gatewaypoa' | 'sdkvendor';
  /** Null for one that sdkvendor was not told to be a mandate of ours. */
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
  /** Razorpay was asked to forget it. */
  readonly deleted: boolean;
  readonly created_at: Date;
}
type MandateStatus =
  'unauthorised' | 'received' | 'submitted' | 'active' | 'paused' | 'cancelled' | 'rejected';

/** What investor and bank do with a mandate. */
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

/** How a mandate is named from its authorisation on. */
export interface MandateNames {
  readonly token: string;
  readonly umrn: string;
}

/** Throws `IllegalTransition` when the mandate is not where the step begins; the same step twice is one, too. */
export function stepMandate(row: MandateRow, step: MandateStep, names: MandateNames): MandateRow {
  const { from, to } = STEPS[step];
  if (!from.includes(row.status))
    throw new IllegalTransition(`${row.provider} mandate`, row.status, step, to);
  return { ...row, status: to, token: row.token ?? names.token, umrn: row.umrn ?? names.umrn };
}

/** Whether the investor has agreed: there is a mandate, whatever became of it. */
export function isAuthorised({ status }: MandateRow): boolean {
  return status === 'active' || status === 'paused' || status === 'cancelled';
}

/** After its last day a mandate that lives is over, and nobody has to say so. */
export function hasExpired(row: MandateRow, now: Date): boolean {
  return (row.status === 'active' || row.status === 'paused') && istDate(now) > row.valid_to;
}

/** The authorisation as gatewaypoa answers it and as its callbacks carry it. */
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

/** The mandate as gatewaypoa answers it and as its callbacks carry it; null before it is authorised. */
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
    // It has a name already, but no debit may be made.
    case 'unauthorised':
    case 'received':
    case 'submitted':
      return null;
    default:
      return impossible(row.status);
  }
}

function impossible(status: never): never {
  throw new Error(`no such status: ${String(status)}`);
}
