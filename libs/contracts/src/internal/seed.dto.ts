import { z } from 'zod';
import { integerId } from '../ids.ts';

const seededClient = z.strictObject({ client_id: z.string(), client_secret: z.string(), scope: z.string() });

/** `GET /internal/seed` (identity, sandbox only): the data that the sandbox was seeded with (SAND-14). */
export const seedFacts = z.strictObject({
  tenant: z.string(),
  client: seededClient,
  admin: seededClient,
  investor_profile: z.string(),
  bank_account: z.string(),
  bank_account_id: integerId,
  mf_investment_account: z.string(),
  consent: z.strictObject({ email: z.string(), isd_code: z.string(), mobile: z.string() }),
});
export type SeedFacts = z.infer<typeof seedFacts>;
