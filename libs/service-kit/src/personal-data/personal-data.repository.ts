import { ApiError, istTimestamp, type PersonIds, type PersonStanding } from '@fundrail/contracts';
import { sql, type Queryable, type Statement, type Tx } from '@fundrail/persistence';
import { KIT_PERSONAL_TABLES, type PersonalTable } from './personal-table.ts';

/** The most that one export may hold: a service has 300 MiB. It is some ten thousand orders. */
const MOST_MIB = 32;

interface StandingRow {
  readonly live: boolean;
  readonly processed: Date | null;
  readonly ordered: Date | null;
  readonly subjects: string[];
}

interface TableStatements extends Pick<PersonalTable, 'table'> {
  readonly standing: Statement;
  /** The rows, and their bytes; null when an export leaves the table out. */
  readonly export: { readonly rows: Statement; readonly size: Statement } | null;
  /** Null when nothing of the table is personal. */
  readonly erase: Statement | null;
}

/** Reads and overwrites what a service's tables say about a person. */
export class PersonalDataRepository {
  private readonly tables: readonly TableStatements[];

  constructor(tables: readonly PersonalTable[]) {
    this.tables = [...tables, ...KIT_PERSONAL_TABLES].map(statementsOf);
  }

  async standing(db: Queryable, person: PersonIds): Promise<PersonStanding> {
    const rows: StandingRow[] = [];
    for (const { standing } of this.tables)
      rows.push(...(await db.query<StandingRow>(standing, valuesOf(person))));
    return {
      live: rows.some(({ live }) => live),
      last_processed_at: istTimestamp(latest(rows.map(({ processed }) => processed))),
      last_ordered_at: istTimestamp(latest(rows.map(({ ordered }) => ordered))),
      subjects: rows.flatMap(({ subjects }) => subjects),
    };
  }

  /** The person's rows as the database prints them, by table. Throws `ApiError` PAYLOAD_TOO_LARGE before it reads too many. */
  async rows(db: Queryable, person: PersonIds): Promise<Record<string, Record<string, unknown>[]>> {
    const found: Record<string, Record<string, unknown>[]> = {};
    let left = MOST_MIB * 1_048_576;
    for (const { table, export: exported } of this.tables) {
      if (!exported) continue;
      const [size] = await db.query<{ bytes: string }>(exported.size, valuesOf(person));
      left -= Number(size?.bytes ?? 0);
      if (left < 0)
        throw new ApiError(
          'PAYLOAD_TOO_LARGE',
          `More than ${MOST_MIB} MiB are stored about the investor: an operator has to read them from the database.`,
        );
      const stored = await db.query<{ row: Record<string, unknown> }>(exported.rows, valuesOf(person));
      found[table] = stored.map(({ row }) => row);
    }
    return found;
  }

  /** Returns the rows that say nothing about the person now, those of an earlier call too; so it can be repeated. */
  async erase(tx: Tx, person: PersonIds): Promise<{ table: string; rows: number }[]> {
    const erased: { table: string; rows: number }[] = [];
    for (const { table, erase } of this.tables) {
      if (!erase) continue;
      erased.push({ table, rows: (await tx.query(erase, valuesOf(person))).length });
    }
    return erased;
  }
}

function valuesOf({ tenant, ...ids }: PersonIds): unknown[] {
  return [tenant, ids.investor_profile, ids.mf_investment_accounts, ids.bank_accounts, ids.subjects];
}

function latest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((at) => at !== null).map((at) => at.getTime());
  return known.length === 0 ? null : new Date(Math.max(...known));
}

// A parameter that a condition leaves out would have no type, so all are named.
const NAMED = 'ROW($1::text, $2::text, $3::text[], $4::bigint[], $5::text[]) IS NOT NULL';

function statementsOf(declared: PersonalTable): TableStatements {
  const { table, of, erased, secret = [] } = declared;
  const { live = 'false', processed = 'NULL::timestamptz', ordered = 'NULL::timestamptz' } = declared;
  const { subject = 'NULL::text' } = declared;
  const where = `WHERE ${NAMED} AND ${of}`;
  const shown = [`to_jsonb(t)`, ...secret.map((column) => `'${column}'`)].join(' - ');
  return {
    table,
    standing: sql(
      `${table}.personal_standing`,
      `SELECT coalesce(bool_or(${live}), false) AS live, max(${processed}) AS processed, max(${ordered}) AS ordered,
              coalesce(array_agg(${subject}) FILTER (WHERE ${subject} IS NOT NULL), '{}') AS subjects
         FROM ${table} t ${where}`,
    ),
    export:
      erased === 'removed'
        ? null
        : {
            rows: sql(`${table}.personal_rows`, `SELECT ${shown} AS row FROM ${table} t ${where}`),
            size: sql(
              `${table}.personal_size`,
              `SELECT coalesce(sum(octet_length((${shown})::text)), 0) AS bytes FROM ${table} t ${where}`,
            ),
          },
    erase: eraseStatement(table, erased, where),
  };
}

function eraseStatement(table: string, erased: PersonalTable['erased'], where: string): Statement | null {
  if (erased === 'removed')
    return sql(`${table}.personal_remove`, `DELETE FROM ${table} t ${where} RETURNING 1`);
  const assigned = Object.entries(erased).map(([column, value]) => `${column} = ${value}`);
  if (assigned.length === 0) return null;
  return sql(`${table}.personal_erase`, `UPDATE ${table} t SET ${assigned.join(', ')} ${where} RETURNING 1`);
}
