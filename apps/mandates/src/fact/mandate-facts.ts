import type { MandateFact } from '@fundrail/contracts';
import type { MandateState, MandateTerms } from '@fundrail/providers';
import {
  cancel,
  expire,
  lawfulTerms,
  may,
  modify,
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

/**
 * Compares the issuer's terms with ours: the step that takes them, as far as they are lawful, or null when they are ours. Those of a paused
 * mandate are taken when it is resumed. A mandate that would end before it begins has expired.
 */
export function applyProviderTerms(
  row: Mandate,
  terms: MandateTerms | undefined,
  now: Date,
): MandateStep | null {
  if (!terms || !may(row, 'modify')) return null;
  const asked = { mandate_limit: terms.limit ?? row.mandate_limit, valid_to: terms.valid_to ?? row.valid_to };
  const changed = lawfulTerms(row, asked, now);
  const { mandate_limit, valid_to } = changed;
  if (mandate_limit.equals(row.mandate_limit) && valid_to === row.valid_to) return null;
  return valid_to < row.valid_from ? expire(row, now) : modify(row, changed);
}

/**
 * All steps that are missing here, in their order, or the name of a contradiction. Terms that were changed before a pause are taken before it,
 * so that a paused mandate expires by them.
 */
export function applyProviderFacts(
  row: Mandate,
  { status, terms }: MandateState,
  now: Date,
): readonly MandateStep[] | string {
  const before = status === 'paused' ? applyProviderTerms(row, terms, now) : null;
  const state = applyProviderState(before?.row ?? row, status, now);
  if (typeof state === 'string') return state;
  const after = status === 'active' ? applyProviderTerms(state?.row ?? row, terms, now) : null;
  return [before, state, after].filter((step) => step !== null);
}

function isWaiting({ mandate_status }: Mandate): boolean {
  return mandate_status === 'CREATED' || mandate_status === 'RECEIVED' || mandate_status === 'SUBMITTED';
}

/** The result of a notification: a step now, a question to the provider first, or nothing. */
type Notified = { readonly step: MandateStep } | 'ask' | null;

/**
 * Judges a notification, which may be late or out of order. An end is final and is applied at once. A pause or a resumption may be
 * outdated by the other, so the provider is asked first. It is also asked when its report contradicts our state, for example a
 * refusal after the approval, and about changed terms, which a later change may have outdated.
 */
export function judgeNotification(
  row: Mandate,
  state: ProviderState | null,
  now: Date,
  terms?: MandateTerms,
): Notified {
  if (state === null) return 'ask';
  const finding = applyProviderState(row, state, now);
  if (finding === null) return applyProviderTerms(row, terms, now) === null ? null : 'ask';
  if (typeof finding === 'string') return 'ask';
  const isRefusedAfterAll = state === 'rejected' && finding.trigger === 'cancel';
  const mayBeOver = finding.trigger === 'pause' || finding.trigger === 'resume';
  return mayBeOver || isRefusedAfterAll ? 'ask' : { step: finding };
}
