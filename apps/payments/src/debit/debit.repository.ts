import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { AttemptRow, Debit, DebitRow } from './debit.ts';

const FIND = sql('debits.find', 'SELECT * FROM debits WHERE tenant = $1 AND payment_id = $2');
const ATTEMPTS = sql(
  'debit_attempts.of',
  'SELECT * FROM debit_attempts WHERE tenant = $1 AND payment_id = $2 ORDER BY number',
);

/** The debit of a payment, or null. A caller that changes it holds the payment's row lock. */
export async function findDebit(db: Queryable, tenant: string, paymentId: number): Promise<Debit | null> {
  const [row] = await db.query<DebitRow>(FIND, [tenant, paymentId]);
  return row ? { ...row, attempts: await db.query<AttemptRow>(ATTEMPTS, [tenant, paymentId]) } : null;
}

const COLUMNS = [
  'payment_id',
  'tenant',
  'mandate_id',
  'mandate_type',
  'mandate_token',
  'provider_id',
  'umrn',
  'execute_at',
] as const satisfies readonly (keyof DebitRow)[];
const INSERT = sql(
  'debits.insert',
  `INSERT INTO debits (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`,
);

export async function insertDebit(tx: Tx, debit: Debit): Promise<void> {
  await tx.query(
    INSERT,
    COLUMNS.map((column) => debit[column]),
  );
}

const FIND_ALL = sql(
  'debits.find_all',
  'SELECT * FROM debits WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id',
);
const ALL_ATTEMPTS = sql(
  'debit_attempts.of_all',
  'SELECT * FROM debit_attempts WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id, number',
);

/** The debits of payments that the transaction has locked, by payment id. */
export async function findDebits(
  tx: Tx,
  payments: readonly { readonly tenant: string; readonly id: number }[],
): Promise<Map<number, Debit>> {
  const keys = [[...new Set(payments.map(({ tenant }) => tenant))], payments.map(({ id }) => id)];
  const rows = await tx.query<DebitRow>(FIND_ALL, keys);
  const attempts = await tx.query<AttemptRow>(ALL_ATTEMPTS, keys);
  return new Map(
    rows.map((row) => {
      const own = attempts.filter(({ payment_id }) => payment_id === row.payment_id);
      return [row.payment_id, { ...row, attempts: own }];
    }),
  );
}

/** The columns of a debit that an attempt or a notice changes, with their types. */
const MUTABLE = {
  execute_at: 'timestamptz',
  planned_at: 'timestamptz',
  notice_begun_at: 'timestamptz',
  notified_at: 'timestamptz',
  notice_reference: 'text',
  notice_proof: 'text',
  notice_withdrawn_at: 'timestamptz',
  notice_number: 'int',
  notice_called_at: 'timestamptz',
  told_execute_at: 'timestamptz',
  notice_failed_at: 'timestamptz',
  mandate_ended_at: 'timestamptz',
} as const satisfies Partial<Record<keyof DebitRow, string>>;
const MUTABLE_COLUMNS = Object.keys(MUTABLE) as (keyof typeof MUTABLE)[];
const UPDATE = sql(
  'debits.update',
  `UPDATE debits AS d SET ${MUTABLE_COLUMNS.map((column) => `${column} = n.${column}`).join(', ')}
     FROM unnest($1::text[], $2::bigint[], ${Object.values(MUTABLE)
       .map((type, index) => `$${index + 3}::${type}[]`)
       .join(', ')}) AS n (tenant, payment_id, ${MUTABLE_COLUMNS.join(', ')})
    WHERE d.tenant = n.tenant AND d.payment_id = n.payment_id AND d.payment_id = ANY ($2)`,
);
const ATTEMPT = {
  payment_id: 'bigint',
  number: 'int',
  tenant: 'text',
  reference: 'text',
  started_at: 'timestamptz',
  called_at: 'timestamptz',
  uncalled: 'boolean',
  accepted_at: 'timestamptz',
  ended_at: 'timestamptz',
  failure_code: 'text',
  never: 'text',
} as const satisfies Record<keyof AttemptRow, string>;
const ATTEMPT_COLUMNS = Object.keys(ATTEMPT) as (keyof AttemptRow)[];
const PUT_ATTEMPTS = sql(
  'debit_attempts.put',
  `INSERT INTO debit_attempts (${ATTEMPT_COLUMNS.join(', ')})
   SELECT * FROM unnest(${Object.values(ATTEMPT)
     .map((type, index) => `$${index + 1}::${type}[]`)
     .join(', ')})
   ON CONFLICT (payment_id, number) DO UPDATE
     SET called_at = excluded.called_at, uncalled = excluded.uncalled, accepted_at = excluded.accepted_at,
         ended_at = excluded.ended_at, failure_code = excluded.failure_code, never = excluded.never`,
);
const REMOVE_ATTEMPTS = sql(
  'debit_attempts.remove',
  'DELETE FROM debit_attempts WHERE tenant = ANY ($1) AND reference = ANY ($2)',
);

/** A debit before and after a decision. */
export interface ChangedDebit {
  readonly before: Debit;
  readonly after: Debit;
}

/** Stores changed debits, with a fixed number of statements for any number of debits. */
export async function saveDebits(tx: Tx, changes: readonly ChangedDebit[]): Promise<void> {
  const changed = changes.filter(({ before, after }) => before !== after);
  await updateRows(
    tx,
    changed
      .filter(({ before, after }) => MUTABLE_COLUMNS.some((column) => before[column] !== after[column]))
      .map(({ after }) => after),
  );
  // A postponed attempt is deleted before the attempt that gets its number is stored.
  await removeAttempts(
    tx,
    changed.flatMap(({ before, after }) =>
      before.attempts.filter(({ number }) => !after.attempts.some((row) => row.number === number)),
    ),
  );
  await putAttempts(
    tx,
    changed.flatMap(({ before, after }) => after.attempts.filter((row) => !before.attempts.includes(row))),
  );
}

async function updateRows(tx: Tx, rows: readonly Debit[]): Promise<void> {
  if (rows.length === 0) return;
  const keys = [rows.map(({ tenant }) => tenant), rows.map(({ payment_id }) => payment_id)];
  await tx.query(UPDATE, [...keys, ...MUTABLE_COLUMNS.map((column) => rows.map((row) => row[column]))]);
}

async function putAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    PUT_ATTEMPTS,
    ATTEMPT_COLUMNS.map((column) => rows.map((row) => row[column])),
  );
}

async function removeAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  const tenants = [...new Set(rows.map(({ tenant }) => tenant))];
  await tx.query(REMOVE_ATTEMPTS, [tenants, rows.map(({ reference }) => reference)]);
}

const LIVE_OF_MANDATE = sql(
  'debits.live_of_mandate',
  `SELECT d.payment_id FROM debits d JOIN payments p ON p.id = d.payment_id
   WHERE d.tenant = $1 AND d.mandate_id = $2 AND p.status IN ('PENDING', 'SUBMITTED') ORDER BY d.payment_id`,
);

/** The debits of a mandate that can still take money, in the order in which they are locked. */
export async function liveDebitsOf(db: Queryable, tenant: string, mandateId: number): Promise<number[]> {
  const rows = await db.query<{ payment_id: number }>(LIVE_OF_MANDATE, [tenant, mandateId]);
  return rows.map((row) => row.payment_id);
}
