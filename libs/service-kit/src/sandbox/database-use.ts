import { sql, type Queryable } from '@fundrail/persistence';
import { BadEnvironment } from '../config/environment.ts';

/** The use of a service's database. `production` is every start with `SANDBOX=false`. */
type DatabaseUse = 'sandbox' | 'production';

/** The use that the rows of a service's own tables prove, and the reason. */
export interface UseEvidence {
  readonly use: DatabaseUse;
  readonly because: string;
}

/** A service, and how it finds the use of its database in its own rows. */
interface DatabaseUser {
  readonly name: string;
  readonly usedAs?: (db: Queryable) => Promise<UseEvidence | null>;
}

const read = sql(
  'database_use.read',
  'SELECT used_as, offset_ms > 0 AS is_moved, current_database() AS name FROM business_clock',
);
const claim = sql(
  'database_use.claim',
  'UPDATE business_clock SET used_as = $1 WHERE used_as IS NULL RETURNING used_as',
);

interface Noted {
  readonly used_as: DatabaseUse | null;
  readonly is_moved: boolean;
  readonly name: string;
}

/**
 * Ends a start when its `SANDBOX` does not fit the database: a sandbox has public clients, simulated money and a moved clock, and must
 * not become a product; and a product must not get the sandbox's clients. Stores the use in a database that has none yet. Throws
 * `BadEnvironment` with one line that names the alternatives.
 */
export async function claimDatabase(
  db: Queryable,
  { name: service, usedAs }: DatabaseUser,
  use: DatabaseUse,
): Promise<void> {
  const noted = await readNote(db);
  const evidence = evidenceIn(noted) ?? (await usedAs?.(db)) ?? null;
  if (evidence && evidence.use !== use) throw misfit(service, noted.name, evidence);
  if (noted.used_as !== null || (await db.query(claim, [use])).length > 0) return;
  // Another replica has stored its use meanwhile.
  const now = evidenceIn(await readNote(db));
  if (now && now.use !== use) throw misfit(service, noted.name, now);
}

async function readNote(db: Queryable): Promise<Noted> {
  const [noted] = await db.query<Noted>(read);
  if (!noted) throw new Error('business_clock has no row');
  return noted;
}

function evidenceIn({ used_as, is_moved }: Noted): UseEvidence | null {
  if (used_as === 'sandbox') return { use: used_as, because: 'it was started as one' };
  if (used_as === 'production') return { use: used_as, because: 'it was started with SANDBOX=false' };
  return is_moved ? { use: 'sandbox', because: 'its clock was moved' } : null;
}

function misfit(service: string, database: string, { use, because }: UseEvidence): BadEnvironment {
  const other = `give a new database, by DATA_DIR, DATABASE_URL or ${service.toUpperCase()}_DATABASE_URL`;
  return new BadEnvironment(
    use === 'sandbox'
      ? `SANDBOX=false is refused: the database ${database} is a sandbox's (${because}), with data and clients that are public: ${other}`
      : `SANDBOX=true is refused: the database ${database} belongs to a product outside of the sandbox (${because}): start with SANDBOX=false, or ${other}`,
  );
}
