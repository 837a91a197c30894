import { istDate } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import type { StoreRow } from '../store/simulator.tables.ts';

export type MandateRow = StoreRow<'mandates'>;
type MandateStatus = MandateRow['status'];

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
      return mandate.status satisfies never;
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
  const about = { mandate_token, limit_paise: row.max_amount.toPaise(), valid_to: row.valid_to };
  if (hasExpired(row, now)) return { ...about, status: 'expired' };
  switch (row.status) {
    case 'active':
    case 'paused':
    case 'rejected':
      return { ...about, status: row.status };
    case 'cancelled':
      return { ...about, status: 'revoked' };
    // It already has a name, but debits are not allowed yet.
    case 'unauthorised':
    case 'received':
    case 'submitted':
      return null;
    default:
      return row.status satisfies never;
  }
}
