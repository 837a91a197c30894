import { prefixedId, ValidationFailed } from '@fundrail/contracts';
import type { Database } from '@fundrail/service-kit/db';
import { listOf, listQuery } from '@fundrail/service-kit/http';
import type { z } from 'zod';
import type { Plan } from '../plan/plan.ts';
import { findSkip, pageOfSkips } from './skip.repository.ts';
import { toSkipInstruction } from './skip.ts';

export const skipsQuery = listQuery({ starting_after: prefixedId('skipInstruction').optional() });

/** The skip instructions of a plan of either kind, newest first (PLAN-26, SIP-24). Throws 400 when `starting_after` is not one of them. */
export async function listSkips(
  database: Database,
  { id, tenant }: Pick<Plan, 'id' | 'tenant'>,
  { limit, starting_after }: z.output<typeof skipsQuery>,
) {
  const before = starting_after ?? null;
  if (before !== null && (await findSkip(database, tenant, before))?.plan_id !== id)
    throw new ValidationFailed([
      { field: 'starting_after', message: 'is not a skip instruction of this plan' },
    ]);
  const now = await database.now();
  const rows = await pageOfSkips(database, tenant, id, { before, limit });
  return listOf(rows.map((row) => toSkipInstruction(row, now)));
}
