import { v7 } from 'uuid';
import { z } from 'zod';

/** Every prefixed id of contract §0. The opaque part is a UUIDv7 without dashes, so ids sort by their creation. */
export const ID_PREFIXES = {
  purchase: 'mfp',
  redemptionPlan: 'mfr',
  redemption: 'mfrd',
  skipInstruction: 'psi',
  investmentAccount: 'mfia',
  investorProfile: 'invp',
  bankAccount: 'bac',
  mandate: 'man',
  event: 'evt',
  notificationWebhook: 'nwh',
  webhookDelivery: 'whd',
  webhookReplay: 'whr',
  tenant: 'ten',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${v7().replaceAll('-', '')}`;
}

/** What every id that is made at a time or later sorts behind, and every earlier one before. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIXES[kind]}_${at.getTime().toString(16).padStart(12, '0')}`;
}

/** A prefixed id in a request or an answer. */
export function prefixedId(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-f]{32}$`), `must be an id that begins with ${prefix}_`)
    .meta({ examples: [`${prefix}_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b`] });
}

/** An integer reference: an `old_id` or a payment's id. PostgreSQL's `bigint`, but never beyond a double's exact range. */
export const integerId = z.int().positive();

/** A path parameter that takes either id of an object (contract §0 "Two ids"). */
export type EitherId = { readonly id: string } | { readonly oldId: number };

/** Reads `mfp_…` or `1234`; anything else is nobody's id and answers null (a 404). */
export function eitherId(kind: IdKind, text: string): EitherId | null {
  if (/^[1-9]\d{0,14}$/.test(text)) return { oldId: Number(text) };
  return new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-f]{32}$`).test(text) ? { id: text } : null;
}

const PLAN_ALIAS = /^mfrp_(?=[0-9a-f]{32}$)/;

/** The plan's own id for `mfrp_…`, which is how the upstream writes the same id (contract §0 "Prefixes"); else the text as it is. */
export function planId(text: string): string {
  return text.replace(PLAN_ALIAS, `${ID_PREFIXES.redemptionPlan}_`);
}

/** A plan's id in a request: `mfr_…`, or the upstream's `mfrp_…` of the same id, read as `mfr_…`. */
export const planIdInput = z
  .string()
  .transform(planId)
  .pipe(prefixedId('redemptionPlan'))
  .meta({ type: 'string', examples: ['mfr_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b'] });
