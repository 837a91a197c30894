import { z } from 'zod';
import { integerId } from '../ids.ts';
import { PROVIDER_NAMES } from '../provider-facts.ts';

/** `payment.mandate_fact`: what the provider of an AUTH_TRANSACTION payment reported about the mandate (GATE-9). */
export const authorisationFact = z
  .strictObject({
    payment_id: integerId,
    mandate_id: integerId,
    status: z.enum(['received', 'submitted', 'approved', 'rejected']),
    /** The provider's id of the mandate; null until it has one. */
    mandate_token: z.string().nullable(),
    umrn: z.string().nullable(),
    provider_id: z.string().nullable(),
    /** A sentence for the investor; null unless `rejected`. */
    rejected_reason: z.string().nullable(),
  })
  .meta({ id: 'AuthorisationFact' });
export type AuthorisationFact = z.infer<typeof authorisationFact>;

/** The status of a mandate at its provider. */
export const PROVIDER_MANDATE_STATUSES = ['active', 'paused', 'cancelled', 'expired', 'rejected'] as const;

/** `mandate_fact.received`: a provider's notification about a mandate that payments received among its callbacks. */
export const mandateFact = z
  .strictObject({
    provider_name: z.enum(PROVIDER_NAMES),
    mandate_token: z.string(),
    status: z.enum(PROVIDER_MANDATE_STATUSES),
    /** The provider's id of the notification. */
    event_id: z.string(),
  })
  .meta({ id: 'MandateFact' });
export type MandateFact = z.infer<typeof mandateFact>;
