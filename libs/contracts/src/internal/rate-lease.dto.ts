import { z } from 'zod';
import { tenantName } from '../tenant.dto.ts';

/** Requests that only look (GET, HEAD) and all others, which have a limit each (contract §0.3). */
export const RATE_KINDS = ['read', 'write'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** How many seconds of its rate a tenant may use at once (contract §0.3 "token bucket with 2 s of burst"). */
export const BURST_SECONDS = 2;

const count = z.int().min(0);
const bucket = { tenant: tenantName, kind: z.enum(RATE_KINDS) };

/** `spent`: requests that were let in before anything was granted for them; `want`: how many more there should be. */
const rateAsk = z.strictObject({ ...bucket, spent: count, want: count });
export type RateAsk = z.infer<typeof rateAsk>;

/** `POST /internal/rate_leases` (identity): a process asks for the right to let requests of some tenants in. */
export const leaseRates = z.strictObject({ asks: z.array(rateAsk).min(1).max(500) });
export type LeaseRates = z.infer<typeof leaseRates>;

/**
 * What one ask was given. `left`: what the bucket holds afterwards, whole requests, below zero when more was spent than there was.
 * `per_second`: the tenant's limit as it stands now.
 */
const rateLease = z.strictObject({
  ...bucket,
  per_second: z.int().positive(),
  granted: count,
  left: z.int(),
});
export type RateLease = z.infer<typeof rateLease>;
export const leasedRates = z.strictObject({ leases: z.array(rateLease) });
export type LeasedRates = z.infer<typeof leasedRates>;

/** Contract §10: a tenant that was told no rate, and one that identity does not know (an OpenID provider of its own may). */
export const DEFAULT_PER_SECOND = 100;
