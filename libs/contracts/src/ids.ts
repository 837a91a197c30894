import { v7 } from 'uuid';
import { z } from 'zod';
import { ApiError } from './errors.ts';

/** Every prefixed id of CONV-3. The opaque part is a UUIDv7 without dashes, so ids sort by creation time. */
export const ID_PREFIXES = {
  purchase: 'mfp',
  redemptionPlan: 'mfr',
  purchasePlan: 'mfpp',
  redemption: 'mfrd',
  skipInstruction: 'psi',
  investmentAccount: 'mfia',
  investorProfile: 'invp',
  bankAccount: 'bac',
  phoneNumber: 'phone',
  emailAddress: 'email',
  address: 'addr',
  relatedParty: 'relp',
  mandate: 'man',
  event: 'evt',
  notificationWebhook: 'nwh',
  webhookDelivery: 'whd',
  webhookReplay: 'whr',
  endpointChallenge: 'whc',
  tenant: 'ten',
  clockMove: 'clk',
  erasure: 'era',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${v7().replaceAll('-', '')}`;
}

/** A bound for sorting: ids created at `at` or later sort after it, earlier ones before it. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIXES[kind]}_${at.getTime().toString(16).padStart(12, '0')}`;
}

const patternOf = (kind: IdKind) => new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-f]{32}$`);

/** The id in a path. Throws `ApiError` NOT_FOUND for a text that is not an id of this kind. */
export function idInPath(kind: IdKind, text: string): string {
  if (!patternOf(kind).test(text)) throw new ApiError('NOT_FOUND');
  return text;
}

/** A prefixed id in a request or an answer. */
export function prefixedId(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(patternOf(kind), `must be an id that begins with ${prefix}_`)
    .meta({ examples: [`${prefix}_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b`] });
}

/** An integer reference: an `old_id` or a payment's id. PostgreSQL's `bigint`, but never beyond a double's exact range. */
export const integerId = z.int().positive();

const DIGITS = /^[1-9]\d{0,14}$/;

/** A whole number of a request, or its digits as a string (CONV-40). Documents have the number alone. */
export function orDigits<S extends z.ZodType>(wholeNumber: S) {
  return z.preprocess(
    (input) => (typeof input === 'string' && DIGITS.test(input) ? Number(input) : input),
    wholeNumber,
  );
}

/**
 * An integer reference to an object that also has a prefixed id, or its digits as a string (CONV-40). The error for a prefixed id names
 * the field that the caller must send instead.
 */
export function integerIdOf(field: 'id' | 'old_id', ...kinds: readonly IdKind[]) {
  const prefixes = kinds.map((kind) => `${ID_PREFIXES[kind]}_`);
  const ofOurs = (input: unknown) =>
    typeof input === 'string' ? prefixes.find((prefix) => input.startsWith(prefix)) : undefined;
  const integer = z
    .int({
      error: ({ input }) => {
        const prefix = ofOurs(input);
        return prefix === undefined
          ? undefined
          : `must be an integer: send ${field} instead of the ${prefix} id`;
      },
    })
    .positive();
  return orDigits(integer);
}

/** An integer reference in a path; null for any other text. */
export function integerIn(text: string): number | null {
  return DIGITS.test(text) ? Number(text) : null;
}

/** A path parameter that takes either id of an object (CONV-8). */
export type EitherId = { readonly id: string } | { readonly oldId: number };

/** Reads `mfp_…` or `1234`, and the upstream's `mfrp_…` of a redemption plan (CONV-5); returns null (a 404) for anything else. */
export function eitherId(kind: IdKind, text: string): EitherId | null {
  const oldId = integerIn(text);
  if (oldId !== null) return { oldId };
  const id = planId(text);
  return patternOf(kind).test(id) ? { id } : null;
}

const PLAN_ALIAS = /^mfrp_(?=[0-9a-f]{32}$)/;

/** Replaces the prefix `mfrp_`, which the upstream uses for the same id (CONV-5), with `mfr_`. Returns other texts unchanged. */
export function planId(text: string): string {
  return text.replace(PLAN_ALIAS, `${ID_PREFIXES.redemptionPlan}_`);
}

/** A plan's id in a request: `mfr_…`, or the upstream's `mfrp_…` of the same id, read as `mfr_…`. */
export const planIdInput = z
  .string()
  .transform(planId)
  .pipe(prefixedId('redemptionPlan'))
  .meta({ type: 'string', examples: ['mfr_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b'] });
