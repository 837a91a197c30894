import { sql } from '@fundrail/messaging';
import type { Queryable, Tx } from '@fundrail/messaging';
import type { AttemptRow, Debit, DebitRow } from './debit.ts';

const FIND = sql('debits.find', 'SELECT * FROM debits WHERE tenant = $1 AND payment_id = $2');
const ATTEMPTS = sql(
  'debit_attempts.of',
  'SELECT * FROM debit_attempts WHERE tenant = $1 AND payment_id = $2 ORDER BY number',
);

/** The debit of a payment, or null. Whoever changes it holds the payment's row lock. */
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

const MUTABLE = [
  'execute_at',
  'planned_at',
  'notice_begun_at',
  'notified_at',
  'notice_reference',
  'notice_proof',
  'notice_withdrawn_at',
] as const satisfies readonly (keyof DebitRow)[];
const UPDATE = sql(
  'debits.update',
  `UPDATE debits SET ${MUTABLE.map((column, index) => `${column} = $${index + 3}`).join(', ')} WHERE tenant = $1 AND payment_id = $2`,
);
const PUT_ATTEMPT = sql(
  'debit_attempts.put',
  `INSERT INTO debit_attempts (payment_id, number, tenant, reference, started_at, accepted_at, ended_at, failure_code)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (payment_id, number) DO UPDATE
     SET accepted_at = excluded.accepted_at, ended_at = excluded.ended_at, failure_code = excluded.failure_code`,
);

/** Writes what a decision has changed. */
export async function saveDebit(tx: Tx, before: Debit, after: Debit): Promise<void> {
  if (after === before) return;
  await tx.query(UPDATE, [after.tenant, after.payment_id, ...MUTABLE.map((column) => after[column])]);
  const known = new Set(before.attempts);
  for (const row of after.attempts) {
    if (known.has(row)) continue;
    const { payment_id, number, tenant, reference, started_at, accepted_at, ended_at, failure_code } = row;
    const outcome = [accepted_at, ended_at, failure_code];
    await tx.query(PUT_ATTEMPT, [payment_id, number, tenant, reference, started_at, ...outcome]);
  }
}
