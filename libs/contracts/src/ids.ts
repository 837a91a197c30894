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
  tenant: 'ten',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

export function newId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_${v7().replaceAll('-', '')}`;
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
