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

export type ProviderState = MandateFact['status'];

/** The step that is missing here, a contradiction by its name, or null when there is nothing to do. */
export type MandateFinding = MandateStep | string | null;

/** Compares how the mandate stands at the provider, asked just now, with what is known here. Nothing is ever overwritten. */
export function applyProviderState(row: Mandate, state: ProviderState, now: Date): MandateFinding {
  switch (state) {
    case 'active':
      if (may(row, 'resume')) return resume(row);
      // Waiting here, its authorisation is what approves it; cancelled here, its revocation has not arrived there yet.
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
      // The bank takes its word back: an end like any other.
      if (may(row, 'cancel')) return cancel(row, now);
      return row.mandate_status === 'REJECTED' ? null : 'rejected_after_approval';
    default:
      return state satisfies never;
  }
}

function isWaiting({ mandate_status }: Mandate): boolean {
  return mandate_status === 'CREATED' || mandate_status === 'RECEIVED' || mandate_status === 'SUBMITTED';
}

/** What a notification comes to: a step now, a question to the provider first, or nothing. */
export type Notified = { readonly step: MandateStep } | 'ask' | null;

/**
 * Judges a notification, which may be late or out of order. An end is an end, and is taken at once; a pause or a resumption may
 * have been overtaken by the other, so the provider is asked before we act, and so it is when its word contradicts ours, as a
 * refusal after the approval does.
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
