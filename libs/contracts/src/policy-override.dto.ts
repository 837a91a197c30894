import { z } from 'zod';
import { businessDate, timestamp } from './time.ts';

const parameter = z.union(
  [z.string(), z.int(), z.boolean()],
  'must be a text, a whole number, or true or false',
);

/** A change of one version of a policy for a deployment, which its operator has signed (POL-11). */
const policyOverride = z
  .strictObject({
    policy: z.string(),
    /** The `from` of the version that it changes, as in docs/policies.md. */
    version: businessDate,
    from: businessDate.optional(),
    until: businessDate.nullable().optional(),
    /** Only those that change. */
    parameters: z.record(z.string(), parameter).optional(),
    reason: z.string().trim().min(10).max(500),
    /** Who decided it. It is logged, and shown to no client. */
    by: z.string().trim().min(1).max(100),
    at: timestamp,
    /** The last business date (IST) on which it holds; left out: no end. Then the law's version holds again. */
    expires_on: businessDate.optional(),
  })
  .refine(
    ({ from, until, parameters = {} }) =>
      from !== undefined || until !== undefined || Object.keys(parameters).length > 0,
    'changes nothing: it needs from, until or parameters',
  );
export type PolicyOverride = z.infer<typeof policyOverride>;

/** The document that is signed. A service that has started with one starts with none that was issued earlier. */
export const policyOverrides = z.strictObject({
  issued_at: timestamp,
  overrides: z.array(policyOverride).min(1).max(100),
});
export type PolicyOverrides = z.infer<typeof policyOverrides>;
