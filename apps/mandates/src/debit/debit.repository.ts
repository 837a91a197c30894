import type { AdmitDebit } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { Debit, DebitState } from './debit.ts';

const COLUMNS = 'payment_id, mandate_id, tenant, old_id, amount, debit_date, state';

const find = sql(
  'mandate_debits.find',
  `SELECT ${COLUMNS} FROM mandate_debits WHERE tenant = $1 AND payment_id = $2`,
);
const lock = sql(
  'mandate_debits.lock',
  `SELECT ${COLUMNS} FROM mandate_debits WHERE tenant = $1 AND payment_id = $2 FOR UPDATE`,
);
const lockAll = sql(
  'mandate_debits.lock_all',
  `SELECT ${COLUMNS} FROM mandate_debits WHERE payment_id = ANY ($2) AND tenant = ANY ($1) ORDER BY payment_id FOR UPDATE`,
);
const lockLive = sql(
  'mandate_debits.lock_live',
  `SELECT ${COLUMNS} FROM mandate_debits
    WHERE tenant = $1 AND mandate_id = $2 AND old_id = $3 AND state IN ('admitted', 'succeeded') FOR UPDATE`,
);
// Also re-admits a debit that was released because its payment was not created in time, when it is requested again.
const admit = sql(
  'mandate_debits.admit',
  `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, check_at)
   VALUES ($1, $2, $3, $4, $5, $6, 'admitted', $7, $8)
   ON CONFLICT (payment_id) DO UPDATE
     SET mandate_id = excluded.mandate_id, old_id = excluded.old_id, amount = excluded.amount,
         debit_date = excluded.debit_date, state = 'admitted', admitted_at = excluded.admitted_at, ended_at = NULL,
         check_at = excluded.check_at
   WHERE mandate_debits.state = 'released' AND mandate_debits.tenant = excluded.tenant
   RETURNING payment_id`,
);
const end = sql(
  'mandate_debits.end',
  `UPDATE mandate_debits SET state = $3, ended_at = $4, check_at = NULL WHERE tenant = $1 AND payment_id = $2`,
);

/** The debit of that payment, or null. */
export async function findDebit(db: Queryable, tenant: string, paymentId: number): Promise<Debit | null> {
  const [row] = await db.query<Debit>(find, [tenant, paymentId]);
  return row ?? null;
}

/** The same, locked. A transaction that also locks the mandate locks the mandate first. */
export async function lockDebit(tx: Tx, tenant: string, paymentId: number): Promise<Debit | null> {
  const [row] = await tx.query<Debit>(lock, [tenant, paymentId]);
  return row ?? null;
}

/** The same for many, by their payments' ids. They are locked in the order of these ids. */
export async function lockDebits(
  tx: Tx,
  keys: readonly { readonly tenant: string; readonly payment_id: number }[],
): Promise<ReadonlyMap<number, Debit>> {
  const tenantOf = new Map(keys.map(({ payment_id, tenant }) => [payment_id, tenant]));
  const rows = await tx.query<Debit>(lockAll, [[...new Set(tenantOf.values())], [...tenantOf.keys()]]);
  const own = rows.filter(({ payment_id, tenant }) => tenantOf.get(payment_id) === tenant);
  return new Map(own.map((row) => [row.payment_id, row]));
}

/** The live or successful debit of the order under the mandate, locked, or null. */
export async function lockLiveDebit(
  tx: Tx,
  { tenant, mandate_id, old_id }: AdmitDebit,
): Promise<Debit | null> {
  const [row] = await tx.query<Debit>(lockLive, [tenant, mandate_id, old_id]);
  return row ?? null;
}

/** Writes an admission. `checkAt` is when payments is asked whether the payment was created. */
export async function insertDebit(tx: Tx, asked: AdmitDebit, checkAt: Date): Promise<void> {
  const { payment_id, mandate_id, tenant, old_id, amount, debit_date } = asked;
  const values = [payment_id, mandate_id, tenant, old_id, amount, debit_date, tx.now, checkAt];
  if ((await tx.query(admit, values)).length === 0)
    throw new Error(`the debit of payment ${payment_id} belongs to another debit`);
}

/** Ends a debit that this transaction has locked. Its permits must be closed before; the database enforces that. */
export async function endDebitRow(tx: Tx, { tenant, payment_id }: Debit, state: DebitState): Promise<void> {
  await tx.query(end, [tenant, payment_id, state, tx.now]);
}
