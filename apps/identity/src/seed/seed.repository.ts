import type { SeedFacts } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

// Any fixed number: two replicas that start at the same time seed once.
const lock = sql('sandbox_seed.lock', 'SELECT pg_advisory_xact_lock(7266102)');
const find = sql('sandbox_seed.find', 'SELECT facts FROM sandbox_seed');
const insert = sql('sandbox_seed.insert', 'INSERT INTO sandbox_seed (facts) VALUES ($1)');

/** Held until the transaction ends. */
export async function lockSeed(tx: Queryable): Promise<void> {
  await tx.query(lock);
}

/** Null before the seeding, and outside the sandbox. */
export async function findSeed(tx: Queryable): Promise<SeedFacts | null> {
  const [row] = await tx.query<{ facts: SeedFacts }>(find);
  return row?.facts ?? null;
}

export async function insertSeed(tx: Queryable, facts: SeedFacts): Promise<void> {
  await tx.query(insert, [JSON.stringify(facts)]);
}
