import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { NoticeRow } from './notice.ts';

const insert = sql(
  'debit_notices.insert',
  `INSERT INTO debit_notices (notice_reference, reference, payment_reference, mandate_token, tenant, amount, execute_at, sent_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING reference`,
);
const find = sql('debit_notices.find', 'SELECT * FROM debit_notices WHERE notice_reference = $1');
const lock = sql(
  'debit_notices.lock',
  'SELECT * FROM debit_notices WHERE notice_reference = $1 OR reference = $1 FOR UPDATE',
);
const findByReference = sql(
  'debit_notices.find_by_reference',
  'SELECT * FROM debit_notices WHERE reference = $1',
);
const withdraw = sql(
  'debit_notices.withdraw',
  'UPDATE debit_notices SET withdrawn = true WHERE notice_reference = $1',
);

/** Returns whether the notice was new. */
export async function insertNotice(tx: Tx, row: NoticeRow): Promise<boolean> {
  const names = [row.notice_reference, row.reference, row.payment_reference, row.mandate_token, row.tenant];
  const facts = [row.amount, row.execute_at, row.sent_at];
  return (await tx.query(insert, [...names, ...facts])).length === 1;
}

export async function findNotice(db: Queryable, noticeReference: string): Promise<NoticeRow | null> {
  return (await db.query<NoticeRow>(find, [noticeReference]))[0] ?? null;
}

/** Finds a notice by its own reference or its sender's, and locks it. */
export async function lockNotice(tx: Tx, noticeReference: string): Promise<NoticeRow | null> {
  return (await tx.query<NoticeRow>(lock, [noticeReference]))[0] ?? null;
}

export async function noticeOfReference(db: Queryable, reference: string): Promise<NoticeRow | null> {
  return (await db.query<NoticeRow>(findByReference, [reference]))[0] ?? null;
}

export async function withdrawNotice(tx: Tx, noticeReference: string): Promise<void> {
  await tx.query(withdraw, [noticeReference]);
}
