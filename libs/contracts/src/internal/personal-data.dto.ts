import { z } from 'zod';
import { integerId, prefixedId } from '../ids.ts';
import { tenantName } from '../tenant.dto.ts';
import { timestamp } from '../time.ts';

/** The ids under which the rows of a service may name an investor. `subjects` are those of the person's events, `kind:id`. */
export const personIds = z.strictObject({
  tenant: tenantName,
  investor_profile: prefixedId('investorProfile'),
  mf_investment_accounts: z.array(prefixedId('investmentAccount')),
  /** By `old_id`, as other services name them. */
  bank_accounts: z.array(integerId),
  subjects: z.array(z.string()),
});
export type PersonIds = z.infer<typeof personIds>;

/** `POST /internal/personal_data/standing`: whether anything of a person is still going on in a service, and how recent it is. */
export const personStanding = z.strictObject({
  live: z.boolean(),
  last_processed_at: timestamp.nullable(),
  last_ordered_at: timestamp.nullable(),
  subjects: z.array(z.string()),
});
export type PersonStanding = z.infer<typeof personStanding>;

/** `POST /internal/personal_data/export`: the person's rows, by table. */
export const personRows = z.strictObject({
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

/** What one table no longer says about a person. */
export const erasedRows = z.strictObject({ table: z.string(), rows: z.int().nonnegative() });
/** `POST /internal/personal_data/erasure`: the rows without personal data now; null when something is going on, and nothing was erased. */
export const personErased = z.strictObject({ erased: z.array(erasedRows).nullable() });
export type PersonErased = z.infer<typeof personErased>;
