import { istInstant } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { recordWebhook } from '../callback/callback.repository.ts';
import { hasExpired, type MandateRow, type MandateStep } from '../mandate/mandate.ts';
import { inSeconds } from './listing.ts';

/** The webhook of each step of a token. There is none when the bank has only received it. */
const EVENTS: Record<MandateStep, string | null> = {
  receive: null,
  submit: null,
  approve: 'token.confirmed',
  reject: 'token.rejected',
  pause: 'token.paused',
  resume: 'token.resumed',
  revoke: 'token.cancelled',
};

/** Stores the webhook about a token's step, if Razorpay sends one. */
export async function reportToken(tx: Tx, mandate: MandateRow, step: MandateStep): Promise<void> {
  const event = EVENTS[step];
  if (event === null) return;
  const { tenant, reference } = mandate;
  const token = toTokenObject(mandate, tx.now);
  await recordWebhook(tx, { tenant, reference, event, entities: { token } });
}

/** A mandate as in Razorpay's responses: a token of a customer (razorpay.com/docs/api/payments/recurring-payments). */
export function toTokenObject(row: MandateRow, now: Date) {
  const isUpi = row.mandate_type === 'UPI';
  return {
    ...{ id: row.token ?? '', entity: 'token', token: (row.token ?? '').replace('token_', ''), bank: null },
    ...{ wallet: null, method: isUpi ? 'upi' : 'emandate', vpa: null, recurring: true },
    recurring_details: {
      status: statusOf(row, now),
      failure_reason: row.status === 'rejected' ? 'mandate_rejected' : null,
    },
    ...{ auth_type: isUpi ? null : 'netbanking', mrn: isUpi ? null : row.umrn },
    ...{ used_at: inSeconds(row.created_at), created_at: inSeconds(row.created_at), dcc_enabled: false },
    ...{ max_amount: row.max_amount.toPaise(), expired_at: inSeconds(istInstant(row.valid_to, '23:59')) },
    // Our mandates have their order's receipt as reference. A merchant's own notes are not stored.
    notes: row.mandate_id === null ? [] : { reference: row.reference },
  };
}

function statusOf(row: MandateRow, now: Date): string {
  if (hasExpired(row, now)) return 'expired';
  switch (row.status) {
    case 'unauthorised':
    case 'received':
    case 'submitted':
      return 'initiated';
    case 'active':
      return 'confirmed';
    case 'paused':
    case 'cancelled':
    case 'rejected':
      return row.status;
    default:
      return row.status satisfies never;
  }
}
