import { ApiError, istDate, ValidationFailed, type Decimal, type MandateFacts } from '@fundrail/contracts';

/** What a plan requires of its mandate. */
interface Collection {
  /** The owner of the plan's investment account. */
  readonly investor_profile: string;
  /** Rupees of each installment. */
  readonly amount: Decimal;
}

/** Why a plan cannot be collected by the mandate at its creation (PLAN-22), or null when it can. */
export function refuseMandate(
  mandate: MandateFacts | null,
  { investor_profile, amount, now }: Collection & { readonly now: Date },
): ApiError | null {
  if (!mandate) return onField('is not a mandate of this tenant');
  if (mandate.investor_profile !== investor_profile) return onField("is not the investor's");
  if (!isInForce(mandate, istDate(now)))
    return new ApiError('MANDATE_NOT_APPROVED', `mandate ${mandate.id} is ${mandate.mandate_status}`);
  if (amount.compare(mandate.mandate_limit) > 0)
    return new ApiError(
      'MANDATE_LIMIT_EXCEEDED',
      `mandate ${mandate.id} allows at most ${mandate.mandate_limit.toFixed2()}`,
    );
  return null;
}

/**
 * What is to be collected next. Both days are the first after a redemption's date, because its debit needs notice (DEB-8); a purchase is
 * debited on its date, for which the notice went out before (SIP-15).
 */
export interface NextCollection {
  readonly amount: Decimal;
  readonly next_day: string;
  readonly next_business_day: string;
}

/** Why a mandate cannot collect: the plan's `reason` while it has installments to come (docs/swp.md). */
export type MandateReason =
  | 'mandate_unknown'
  | 'mandate_not_approved'
  | 'mandate_paused'
  | 'mandate_cancelled'
  | 'mandate_expired'
  | 'mandate_not_valid_yet'
  | 'mandate_limit_exceeded';

/** The reason that follows from the status alone. A mandate in any other status was never approved. */
const BY_STATUS: Partial<Record<MandateFacts['mandate_status'], MandateReason>> = {
  PAUSED: 'mandate_paused',
  CANCELLED: 'mandate_cancelled',
  EXPIRED: 'mandate_expired',
};

/** What a collection depends on: the same in the facts and in the events of mandates. */
export type CollectingMandate = Pick<
  MandateFacts,
  'id' | 'mandate_status' | 'mandate_type' | 'mandate_limit' | 'valid_from' | 'valid_to'
>;

/**
 * Why the mandate cannot collect, as far as is known now. It is checked for the day of the debit, which for an e-mandate is a
 * business day. Null when it can collect.
 */
export function whyUnusable(mandate: CollectingMandate | null, of: NextCollection): MandateReason | null {
  if (!mandate) return 'mandate_unknown';
  const { mandate_status, mandate_type, mandate_limit, valid_from, valid_to } = mandate;
  if (mandate_status !== 'APPROVED') return BY_STATUS[mandate_status] ?? 'mandate_not_approved';
  const on = mandate_type === 'UPI' ? of.next_day : of.next_business_day;
  if (on > valid_to) return 'mandate_expired';
  if (on < valid_from) return 'mandate_not_valid_yet';
  return of.amount.compare(mandate_limit) > 0 ? 'mandate_limit_exceeded' : null;
}

/** What a purchase plan keeps of its mandate, and the mandate's event up to which that is known (SIP-7). */
export interface MandateCopy {
  /** The most that one debit may take, in rupees; null without a mandate, and of a redemption plan. */
  readonly mandate_limit: Decimal | null;
  readonly mandate_seq: number | null;
}

/** The copy that a plan keeps of a mandate that mandates has answered about. */
export function copyOf({
  mandate_limit,
  event_seq,
}: MandateFacts): MandateCopy & { readonly mandate_limit: Decimal } {
  return { mandate_limit, mandate_seq: event_seq ?? null };
}

/** Whether a copy is from before the other one; false where that is not known. */
export function isOlder(
  copy: Pick<MandateCopy, 'mandate_seq'>,
  than: Pick<MandateCopy, 'mandate_seq'>,
): boolean {
  return copy.mandate_seq !== null && than.mandate_seq !== null && copy.mandate_seq < than.mandate_seq;
}

/**
 * The copy after an answer of mandates. The limit may have changed while the plan was written, when the event about that found no plan yet;
 * an answer from before the copy, or one that does not state how new it is, changes nothing.
 */
export function newerCopy(kept: MandateCopy, facts: MandateFacts | null): MandateCopy {
  const { mandate_limit, mandate_seq } = kept;
  if (!facts || mandate_limit === null || facts.event_seq === undefined)
    return { mandate_limit, mandate_seq };
  const answered = copyOf(facts);
  const isSame = answered.mandate_limit.compare(mandate_limit) === 0;
  return isSame || isOlder(answered, kept) ? { mandate_limit, mandate_seq } : answered;
}

function isInForce({ mandate_status, valid_from, valid_to }: MandateFacts, on: string): boolean {
  return mandate_status === 'APPROVED' && valid_from <= on && on <= valid_to;
}

function onField(message: string): ApiError {
  return new ValidationFailed([{ field: 'payment_source', message }]);
}
