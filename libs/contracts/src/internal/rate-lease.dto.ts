import { z } from 'zod';
import { tenantName } from '../tenant.dto.ts';

/** Requests that only read (GET, HEAD), and all others. Each kind has its own limit (RATE-1). */
const RATE_KINDS = ['read', 'write'] as const;
export type RateKind = (typeof RATE_KINDS)[number];

/** A tenant may use this many seconds of its rate in one burst (RATE-2). */
export const BURST_SECONDS = 2;

const count = z.int().min(0);
const bucket = { tenant: tenantName, kind: z.enum(RATE_KINDS) };

/** `spent`: requests admitted before a grant; `want`: how many more to grant. */
const rateAsk = z.strictObject({ ...bucket, spent: count, want: count });
export type RateAsk = z.infer<typeof rateAsk>;

/** `POST /internal/rate_leases` (identity): a process asks for permission to admit requests of some tenants. */
export const leaseRates = z.strictObject({ asks: z.array(rateAsk).min(1).max(500) });
export type LeaseRates = z.infer<typeof leaseRates>;

/**
 * What was granted. `left`: the whole requests that the bucket holds afterwards, below zero when more were spent than it held.
 * `per_second`: the tenant's current limit.
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

/** RATE-7: for a tenant without a configured rate, and for one that identity does not know (an external OpenID provider may). */
export const DEFAULT_PER_SECOND = 100;
