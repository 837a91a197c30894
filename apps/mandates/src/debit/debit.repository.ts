import type { AdmitDebit } from '@fundrail/contracts';
import { arrayParameters, columnArrays, saveRows, sql } from '@fundrail/persistence';
import type { Queryable, RowChange, Tx } from '@fundrail/persistence';
import { findMandates } from '../mandate/mandate.repository.ts';
import { MANDATES } from '../mandate/mandate.table.ts';
import type { Mandate } from '../mandate/mandate.ts';
import type { DebitOfMandate } from './debit.ts';
import { DEBIT_ATTEMPTS, MANDATE_DEBITS, type AttemptRow, type Debit, type DebitRow } from './debit.table.ts';

const COLUMNS = MANDATE_DEBITS.names.join(', ');

/** Names a debit. */
export type DebitKey = Pick<Debit, 'tenant' | 'payment_id'>;

const FIND = sql(
  'mandate_debits.find',
  `SELECT ${COLUMNS} FROM mandate_debits WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id`,
);
const LOCK = sql(
  'mandate_debits.lock',
  `SELECT ${COLUMNS} FROM mandate_debits WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id FOR UPDATE`,
);
const ATTEMPTS = sql(
  'debit_attempts.of',
  'SELECT * FROM debit_attempts WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id, number',
);
const LOCK_MANDATES = sql(
  'mandate_debits.lock_mandates',
  `SELECT ${MANDATES.names.join(', ')} FROM mandates
    WHERE id = ANY (ARRAY(SELECT mandate_id FROM mandate_debits WHERE payment_id = ANY ($2) AND tenant = ANY ($1)))
      AND tenant = ANY ($1) ORDER BY id FOR UPDATE`,
);

/** The debit of that payment with its mandate, or null. */
export async function findDebit(db: Queryable, key: DebitKey): Promise<DebitOfMandate | null> {
  const debits = await readDebits(db, [key]);
  const [debit] = debits;
  if (!debit) return null;
  const [mandate] = await findMandates(db, [{ tenant: debit.tenant, id: debit.mandate_id }]);
  return mandate ? { debit, mandate } : null;
}

/** The debits of these payments, without their mandates. Those that do not exist are left out. */
export async function findDebits(
  db: Queryable,
  keys: readonly DebitKey[],
): Promise<ReadonlyMap<number, Debit>> {
  return new Map((await readDebits(db, keys)).map((debit) => [debit.payment_id, debit]));
}

/**
 * The same for many, with their mandates locked first and then the debits, each in the order of ids, so that no two transactions
 * deadlock. Debits that do not exist are left out.
 */
export async function lockDebits(
  tx: Tx,
  keys: readonly DebitKey[],
): Promise<ReadonlyMap<number, DebitOfMandate>> {
  const asked = keyed(keys);
  // Sent together. The server runs them in this order, so each sees what the locks before it have waited for.
  const [mandates, rows, attempts] = await Promise.all([
    tx.query<Mandate>(LOCK_MANDATES, asked),
    tx.query<DebitRow>(LOCK, asked),
    tx.query<AttemptRow>(ATTEMPTS, asked),
  ]);
  const byId = new Map(mandates.map((mandate) => [mandate.id, mandate]));
  const found = new Map<number, DebitOfMandate>();
  for (const debit of debitsOf(keys, rows, attempts)) {
    const mandate = byId.get(debit.mandate_id);
    if (mandate?.tenant === debit.tenant) found.set(debit.payment_id, { debit, mandate });
  }
  return found;
}

async function readDebits(db: Queryable, keys: readonly DebitKey[]): Promise<Debit[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<DebitRow>(FIND, keyed(keys));
  if (rows.length === 0) return [];
  return debitsOf(keys, rows, await db.query<AttemptRow>(ATTEMPTS, keyed(keys)));
}

/** Debits that belong to another tenant than their key names are left out. */
function debitsOf(
  keys: readonly DebitKey[],
  rows: readonly DebitRow[],
  attempts: readonly AttemptRow[],
): Debit[] {
  const tenantOf = new Map(keys.map(({ payment_id, tenant }) => [payment_id, tenant]));
  return rows
    .filter(({ payment_id, tenant }) => tenantOf.get(payment_id) === tenant)
    .map((row) => ({ ...row, attempts: attempts.filter(({ payment_id }) => payment_id === row.payment_id) }));
}

function keyed(keys: readonly DebitKey[]): unknown[] {
  return [[...new Set(keys.map(({ tenant }) => tenant))], keys.map(({ payment_id }) => payment_id)];
}

const HOLDERS = sql(
  'mandate_debits.holders',
  `SELECT mandate_id, old_id, payment_id FROM mandate_debits
    WHERE mandate_id = ANY ($2) AND old_id = ANY ($3) AND tenant = ANY ($1)
      AND state IN ('admitted', 'notifying', 'planned', 'attempting', 'succeeded')`,
);
const LIVE_OF = sql(
  'mandate_debits.live_of',
  `SELECT tenant, payment_id FROM mandate_debits WHERE tenant = $1 AND mandate_id = $2
      AND state IN ('admitted', 'notifying', 'planned', 'attempting') ORDER BY payment_id`,
);

type OrderOfMandate = Pick<Debit, 'tenant' | 'mandate_id' | 'old_id'>;

/**
 * The payments of the live or successful debits of these orders under mandates that the transaction has locked: of each order its
 * payment, or null.
 */
export async function holdersOf(
  tx: Tx,
  orders: readonly OrderOfMandate[],
): Promise<(order: OrderOfMandate) => number | null> {
  const tenants = [...new Set(orders.map(({ tenant }) => tenant))];
  const rows = await tx.query<Pick<Debit, 'mandate_id' | 'old_id' | 'payment_id'>>(HOLDERS, [
    tenants,
    ...columnArrays(orders, ['mandate_id', 'old_id']),
  ]);
  const held = new Map(rows.map((row) => [`${row.mandate_id} ${row.old_id}`, row.payment_id]));
  return ({ mandate_id, old_id }) => held.get(`${mandate_id} ${old_id}`) ?? null;
}

/** Of each whether the call of its attempt may still be made: the debit neither ended nor was stopped since its intent (DEB-21). */
export async function mayBeCalled(db: Queryable, keys: readonly DebitKey[]): Promise<boolean[]> {
  const rows = await db.query<DebitKey>(MAY_BE_CALLED, keyed(keys));
  const tenantOf = new Map(rows.map(({ payment_id, tenant }) => [payment_id, tenant]));
  return keys.map(({ payment_id, tenant }) => tenantOf.get(payment_id) === tenant);
}

/** The debits of a mandate that may still take money. */
export function liveDebitsOf(db: Queryable, tenant: string, mandateId: number): Promise<DebitKey[]> {
  return db.query(LIVE_OF, [tenant, mandateId]);
}

const MAY_BE_CALLED = sql(
  'mandate_debits.may_be_called',
  `SELECT payment_id, tenant FROM mandate_debits
    WHERE payment_id = ANY ($2) AND tenant = ANY ($1) AND state = 'attempting' AND stop_code IS NULL`,
);

const ADMITTED = [
  ...(['payment_id', 'mandate_id', 'tenant', 'old_id', 'amount', 'debit_date'] as const),
  ...(['mf_investment_account', 'first_on', 'state', 'admitted_at', 'check_at'] as const),
];
// Also admits a debit again that was released because its payment was not created in time. In the order of the ids, so that two
// transactions never deadlock.
const ADMIT = sql(
  'mandate_debits.admit',
  `INSERT INTO mandate_debits (${ADMITTED.join(', ')})
   SELECT * FROM unnest(${arrayParameters(MANDATE_DEBITS, ADMITTED, 1)}) ORDER BY 1
   ON CONFLICT (payment_id) DO UPDATE
     SET mandate_id = excluded.mandate_id, old_id = excluded.old_id, amount = excluded.amount,
         debit_date = excluded.debit_date, mf_investment_account = excluded.mf_investment_account,
         first_on = excluded.first_on, state = 'admitted',
         admitted_at = excluded.admitted_at, ended_at = NULL, check_at = excluded.check_at
   WHERE mandate_debits.state = 'released' AND mandate_debits.tenant = excluded.tenant
   RETURNING payment_id`,
);

/** An admission with the expected day of the debit, IST. */
export interface Admission {
  readonly asked: AdmitDebit;
  readonly debit_date: string;
}

/** Inserts debits of different payments. `check_at` is when payments is asked whether they were created. Throws when one belongs to another debit. */
export async function insertDebits(tx: Tx, admissions: readonly Admission[], check_at: Date): Promise<void> {
  if (admissions.length === 0) return;
  const rows = admissions.map(({ asked, debit_date }) => {
    const { mf_investment_account = null, first_on = null } = asked;
    const at = { state: 'admitted', admitted_at: tx.now, check_at } as const;
    return { ...asked, debit_date, mf_investment_account, first_on, ...at };
  });
  const inserted = await tx.query(ADMIT, columnArrays(rows, ADMITTED));
  if (inserted.length < rows.length)
    throw new Error('a debit with the id of a payment belongs to another debit');
}

const saveDebitRows = saveRows(MANDATE_DEBITS, 'payment_id');
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

/** Stores changed debits that the transaction has locked, with a fixed number of statements for any number of debits. */
export async function saveDebits(tx: Tx, changed: readonly RowChange<Debit>[]): Promise<void> {
  const removed = changed.flatMap(({ before, after }) =>
    before.attempts.filter(({ number }) => !after.attempts.some((row) => row.number === number)),
  );
  const put = changed.flatMap(({ before, after }) =>
    after.attempts.filter((row) => !before.attempts.includes(row)),
  );
  // In this order: a postponed attempt is deleted before the attempt that gets its number is stored.
  await Promise.all([
    saveDebitRows(tx, changed),
    removed.length > 0 &&
      tx.query(REMOVE_ATTEMPTS, [
        [...new Set(removed.map(({ tenant }) => tenant))],
        removed.map(({ reference }) => reference),
      ]),
    put.length > 0 && tx.query(PUT_ATTEMPTS, columnArrays(put, DEBIT_ATTEMPTS.inserted)),
  ]);
}

const IN_FLIGHT = sql(
  'debit_attempts.in_flight',
  `SELECT DISTINCT d.payment_id FROM mandate_debits d JOIN debit_attempts a ON a.payment_id = d.payment_id
    WHERE d.tenant = $1 AND d.mandate_id = $2 AND a.state IN ('begun', 'accepted') ORDER BY d.payment_id`,
);

/** The payments of a mandate with an open attempt: its call was, or may have been, made. */
export async function debitsInFlight(
  tx: Tx,
  { tenant, id }: { readonly tenant: string; readonly id: number },
): Promise<number[]> {
  const rows = await tx.query<{ payment_id: number }>(IN_FLIGHT, [tenant, id]);
  return rows.map(({ payment_id }) => payment_id);
}
