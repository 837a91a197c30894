import {
  addDuration,
  addDays,
  Decimal,
  istDate,
  istInstant,
  istTimestamp,
  ValidationFailed,
} from '@fundrail/contracts';
import type { CreateMandateRequest, MandateDto, MandateFacts, ProviderName } from '@fundrail/contracts';
import { judge, parametersAt, policyAt } from '@fundrail/policies';
import { canApply, created, mandateMachine, transition } from '@fundrail/state-machines';
import type { Decision, MandateTrigger } from '@fundrail/state-machines';
import type { MandateRow } from './mandate.table.ts';

/** Kinds of due work of this service. */
export const MANDATE_DUE = {
  /** `valid_to` has passed. The key is the mandate's id. */
  expire: 'mandate.expire',
  /** Retries a revocation at the provider until it is confirmed. The key is the revocation's id. */
  revoke: 'mandate.revoke',
  /** Asks the provider for a mandate's state. The key is the mandate's id. */
  status: 'mandate.status',
  /** The mandate has ended: its debits end too. The key is the mandate's id. */
  endDebits: 'mandate.end_debits',
} as const;

/** How long after its claim a payment may take to be created before payments is asked about it. Asking is harmless. */
export const CHECK_AFTER_MS = 60_000;

export type Mandate = Readonly<MandateRow>;
export type MandateStep = Decision<Mandate, MandateTrigger>;

/** The provider's names of a mandate. */
export type ProviderNames = Pick<Mandate, 'mandate_token' | 'umrn' | 'provider_id'>;

/** A request to create a mandate, with its provider. */
export interface NewMandate extends CreateMandateRequest {
  readonly provider_name: ProviderName;
}

/** What a creation needs besides its request. */
interface MandateOrigin {
  readonly id: number;
  readonly mandate_ref: string;
  readonly tenant: string;
  readonly investor_profile: string;
  readonly now: Date;
}

const NOTHING_YET = {
  mandate_status: 'CREATED',
  mandate_token: null,
  umrn: null,
  provider_id: null,
  rejected_reason: null,
  received_at: null,
  submitted_at: null,
  approved_at: null,
  rejected_at: null,
  cancelled_at: null,
  paused_at: null,
  expired_at: null,
  event_seq: 0,
  authorising_payment: null,
  authorising_since: null,
  authorising_check_at: null,
  facts_seq: 0,
  doubted_at: null,
} as const satisfies Partial<Mandate>;

/** The policy that has the limit of each type (MAN-3). */
const LIMITED_BY = { UPI: 'autopay_afa_limit', E_MANDATE: 'mandate_validity' } as const;

/** Creates a mandate (MAN-1). Throws `ValidationFailed` on bad dates, then 422 `MANDATE_LIMIT_EXCEEDED` by its type. */
export function createMandate(request: NewMandate, origin: MandateOrigin): MandateStep {
  const { now, ...identity } = origin;
  const { mandate_type, bank_account_id, provider_name, mandate_limit } = request;
  const validity = validityOf(request, now);
  const refusal = judge(LIMITED_BY[mandate_type], now, null, { mandate_limit });
  if (refusal) throw refusal;
  const row: Mandate = {
    ...NOTHING_YET,
    ...identity,
    ...validity,
    mandate_type,
    bank_account_id,
    provider_name,
    mandate_limit,
    source_ref_id: request.source_ref_id ?? null,
    created_at: now,
  };
  return created(mandateMachine, row);
}

/** The last day of the longest allowed validity. From 29 February it is 28 February in a year without a leap day. */
export function longestValidTo(from: string, years: number): string {
  return istDate(addDuration(istInstant(from), `P${years}Y`));
}

function validityOf(
  { valid_from, valid_to }: Pick<CreateMandateRequest, 'valid_from' | 'valid_to'>,
  now: Date,
): { readonly valid_from: string; readonly valid_to: string } {
  const { years } = parametersAt('mandate_validity', now);
  const today = istDate(now);
  const from = valid_from ?? today;
  const refuse = (field: string, message: string) => new ValidationFailed([{ field, message }]);
  if (from < today) throw refuse('valid_from', 'must not be in the past');
  // The calendar has to end somewhere, and a mandate a generation ahead has no use.
  if (from > longestValidTo(today, years)) throw refuse('valid_from', `must be within ${years} years`);
  const last = longestValidTo(from, years);
  const to = valid_to ?? last;
  if (to < from) throw refuse('valid_to', 'must not be before valid_from');
  if (to > last) throw refuse('valid_to', `must be within ${years} years of valid_from`);
  return { valid_from: from, valid_to: to };
}

/** The instant at which a mandate has expired: 00:00 IST of the day after its last (MAN-8). */
export function expiryOf({ valid_to }: Pick<Mandate, 'valid_to'>): Date {
  return istInstant(addDays(valid_to, 1));
}

/** Whether the date (IST) is within the validity. */
export function isValidOn({ valid_from, valid_to }: Pick<Mandate, 'valid_from' | 'valid_to'>, date: string) {
  return valid_from <= date && date <= valid_to;
}

/** Cancelled by the API or revoked at the provider. Throws `IllegalTransition`. */
export function cancel(row: Mandate, now: Date): MandateStep {
  return transition(mandateMachine, row, 'cancel', { cancelled_at: now, doubted_at: null });
}

export function pause(row: Mandate, now: Date): MandateStep {
  return transition(mandateMachine, row, 'pause', { paused_at: now, doubted_at: null });
}

export function resume(row: Mandate): MandateStep {
  return transition(mandateMachine, row, 'resume', {});
}

/**
 * These terms as far as the law allows them: the limit of `autopay_afa_limit` or `mandate_validity` while there is one, and the longest
 * validity. No debit goes beyond them, whatever an issuer reports (MAN-26).
 */
export function lawfulTerms(
  { mandate_type, valid_from }: Pick<Mandate, 'mandate_type' | 'valid_from'>,
  { mandate_limit, valid_to }: Pick<Mandate, 'mandate_limit' | 'valid_to'>,
  now: Date,
): Pick<Mandate, 'mandate_limit' | 'valid_to'> {
  const max = policyAt(LIMITED_BY[mandate_type], now)?.parameters.max;
  const most = max === undefined ? mandate_limit : Decimal.parse(String(max));
  const last = longestValidTo(valid_from, parametersAt('mandate_validity', now).years);
  return {
    mandate_limit: mandate_limit.compare(most) > 0 ? most : mandate_limit,
    valid_to: valid_to > last ? last : valid_to,
  };
}

/** The investor has changed these terms at the issuer, which has confirmed them (MAN-26). Throws `IllegalTransition`. */
export function modify(row: Mandate, terms: Pick<Mandate, 'mandate_limit' | 'valid_to'>): MandateStep {
  return transition(mandateMachine, row, 'modify', { ...terms, doubted_at: null });
}

export function expire(row: Mandate, now: Date): MandateStep {
  return transition(mandateMachine, row, 'expire', { expired_at: now, doubted_at: null });
}

/** The step when `valid_to` has passed; null when it is too early or nothing is left to expire. */
export function expireWhenDue(row: Mandate, now: Date): MandateStep | null {
  return may(row, 'expire') && now >= expiryOf(row) ? expire(row, now) : null;
}

export function reject(row: Mandate, reason: string | null, now: Date): MandateStep {
  return transition(mandateMachine, row, 'reject', { rejected_reason: reason, rejected_at: now });
}

export function may(row: Mandate, trigger: MandateTrigger): boolean {
  return canApply(mandateMachine, row.mandate_status, trigger);
}

/** The mandate as GET returns it and as events carry it. */
export function toMandate(row: Mandate): MandateDto {
  return {
    id: row.id,
    object: 'mandate',
    bank_account_id: row.bank_account_id,
    mandate_ref: row.mandate_ref,
    mandate_token: row.mandate_token,
    mandate_type: row.mandate_type,
    mandate_status: row.mandate_status,
    mandate_limit: row.mandate_limit,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    umrn: row.umrn,
    provider_id: row.provider_id,
    provider_name: row.provider_name,
    rejected_reason: row.rejected_reason,
    created_at: istTimestamp(row.created_at),
    received_at: istTimestamp(row.received_at),
    submitted_at: istTimestamp(row.submitted_at),
    approved_at: istTimestamp(row.approved_at),
    rejected_at: istTimestamp(row.rejected_at),
    cancelled_at: istTimestamp(row.cancelled_at),
    paused_at: istTimestamp(row.paused_at),
    expired_at: istTimestamp(row.expired_at),
    source_ref_id: row.source_ref_id,
  };
}

/** The mandate as other services receive it. */
export function toFacts(row: Mandate): MandateFacts {
  return {
    id: row.id,
    tenant: row.tenant,
    mandate_ref: row.mandate_ref,
    mandate_type: row.mandate_type,
    mandate_status: row.mandate_status,
    mandate_limit: row.mandate_limit,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    bank_account_id: row.bank_account_id,
    investor_profile: row.investor_profile,
    provider_name: row.provider_name,
    mandate_token: row.mandate_token,
    umrn: row.umrn,
    provider_id: row.provider_id,
    event_seq: row.event_seq,
  };
}
