import { z } from 'zod';
import { businessDate, timestamp } from './time.ts';

/** A change of one version of a policy for a deployment, which its operator has signed (POL-11). */
const policyOverride = z
  .strictObject({
    policy: z.string(),
    /** The `from` of the version that it changes, as in docs/policies.md. */
    version: businessDate,
    from: businessDate.optional(),
    until: businessDate.nullable().optional(),
    /** Only those that change. */
    parameters: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])).optional(),
    reason: z.string().trim().min(10).max(500),
    /** Who decided it. It is logged, and shown to no client. */
    by: z.string().trim().min(1).max(100),
    at: timestamp,
  })
  .refine(
    ({ from, until, parameters = {} }) =>
      from !== undefined || until !== undefined || Object.keys(parameters).length > 0,
    'changes nothing: it needs from, until or parameters',
  );
export type PolicyOverride = z.infer<typeof policyOverride>;

/** The document that is signed. */
export const policyOverrides = z.strictObject({ overrides: z.array(policyOverride).min(1).max(100) });
