import { arrayParameters, columnArrays, insertRow, saveRows, sql } from '@fundrail/persistence';
import type { Queryable, RowChange, Tx } from '@fundrail/persistence';
import { DEBIT_ATTEMPTS, DEBITS, type AttemptRow, type Debit, type DebitRow } from './debit.tables.ts';

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

export const insertDebit = insertRow(DEBITS);

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

const updateDebits = saveRows(DEBITS, 'payment_id');
const PUT_ATTEMPTS = sql(
  'debit_attempts.put',
  `INSERT INTO debit_attempts (${DEBIT_ATTEMPTS.inserted.join(', ')})
   SELECT * FROM unnest(${arrayParameters(DEBIT_ATTEMPTS, DEBIT_ATTEMPTS.inserted, 1)})
   ON CONFLICT (payment_id, number) DO UPDATE
     SET ${DEBIT_ATTEMPTS.stepped.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);
const REMOVE_ATTEMPTS = sql(
  'debit_attempts.remove',
  'DELETE FROM debit_attempts WHERE tenant = ANY ($1) AND reference = ANY ($2)',
);

/** Stores changed debits, with a fixed number of statements for any number of debits. */
export async function saveDebits(tx: Tx, changes: readonly RowChange<Debit>[]): Promise<void> {
  const changed = changes.filter(({ before, after }) => before !== after);
  await updateDebits(tx, changed);
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

async function putAttempts(tx: Tx, rows: readonly AttemptRow[]): Promise<void> {
  if (rows.length > 0) await tx.query(PUT_ATTEMPTS, columnArrays(rows, DEBIT_ATTEMPTS.inserted));
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
