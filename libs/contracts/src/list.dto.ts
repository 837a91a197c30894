import { z } from 'zod';

/** A `/v2` or `/admin` list: `{ "object": "list", "data": [...] }`, newest first (contract §0 "Families"). */
export function listOf<S extends z.ZodType>(item: S) {
  return z.strictObject({ object: z.literal('list'), data: z.array(item) });
}
