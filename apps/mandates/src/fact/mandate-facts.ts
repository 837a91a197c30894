import type { MandateFact } from '@fundrail/contracts';
import {
  cancel,
  expire,
  may,
  pause,
  reject,
  resume,
  type Mandate,
  type MandateStep,
} from '../mandate/mandate.ts';

type ProviderState = MandateFact['status'];

/** The step that is missing here, the name of a contradiction, or null when there is nothing to do. */
type MandateFinding = MandateStep | string | null;

/** Compares the provider's current state of the mandate with ours. Nothing is ever overwritten. */
export function applyProviderState(row: Mandate, state: ProviderState, now: Date): MandateFinding {
  switch (state) {
    case 'active':
      if (may(row, 'resume')) return resume(row);
      // A mandate waiting here is approved only by its authorisation. If it is cancelled here, its revocation has not arrived there
      // yet.
      return row.mandate_status === 'REJECTED' ? 'active_after_rejection' : null;
    case 'paused':
      if (may(row, 'pause')) return pause(row, now);
      return isWaiting(row) || row.mandate_status === 'REJECTED' ? 'paused_before_approval' : null;
    case 'cancelled':
      if (may(row, 'cancel')) return cancel(row, now);
      return isWaiting(row) ? 'cancelled_before_approval' : null;
    case 'expired':
      if (may(row, 'expire')) return expire(row, now);
      return isWaiting(row) ? 'expired_before_approval' : null;
    case 'rejected':
      if (may(row, 'reject')) return reject(row, null, now);
      // The bank withdraws its approval: an end like any other.
      if (may(row, 'cancel')) return cancel(row, now);
      return row.mandate_status === 'REJECTED' ? null : 'rejected_after_approval';
    default:
      return state satisfies never;
  }
}

function isWaiting({ mandate_status }: Mandate): boolean {
  return mandate_status === 'CREATED' || mandate_status === 'RECEIVED' || mandate_status === 'SUBMITTED';
}

/** The result of a notification: a step now, a question to the provider first, or nothing. */
type Notified = { readonly step: MandateStep } | 'ask' | null;

/**
 * Judges a notification, which may be late or out of order. An end is final and is applied at once. A pause or a resumption may be
 * outdated by the other, so the provider is asked first. It is also asked when its report contradicts our state, for example a
 * refusal after the approval.
 */
export function judgeNotification(row: Mandate, state: ProviderState | null, now: Date): Notified {
  if (state === null) return 'ask';
  const finding = applyProviderState(row, state, now);
  if (finding === null) return null;
  if (typeof finding === 'string') return 'ask';
  const isRefusedAfterAll = state === 'rejected' && finding.trigger === 'cancel';
  const mayBeOver = finding.trigger === 'pause' || finding.trigger === 'resume';
  return mayBeOver || isRefusedAfterAll ? 'ask' : { step: finding };
}
