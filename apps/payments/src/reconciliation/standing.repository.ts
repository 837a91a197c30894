import { RECONCILIATION_PAGE, type Decimal } from '@fundrail/contracts';
import { sql, type Queryable, type Statement } from '@fundrail/persistence';
import type { About } from '@fundrail/service-kit/reconciliation';
import type { OrderState } from '../payment/orders-of-payment.ts';
import type { PaymentRow } from '../payment/payment.tables.ts';

type Status = PaymentRow['status'];

const STANDINGS = sql(
  'payments.standings',
  `SELECT asked.id AS payment_id, i.kind, p.status,
          array(SELECT s.old_id::int8 FROM payment_orders s WHERE s.payment_id = asked.id AND s.live ORDER BY s.old_id)::text[] AS live
     FROM unnest($1::bigint[]) AS asked (id)
     LEFT JOIN payment_ids i ON i.id = asked.id LEFT JOIN payments p ON p.id = asked.id`,
);
/** The last event sequences of these payments. */
export const PAYMENT_SEQUENCES = sql(
  'payments.sequences',
  `SELECT id::text, event_seq AS sequence FROM payments
    WHERE id = ANY(array(SELECT given::bigint FROM unnest($1::text[]) AS given WHERE given ~ '^[0-9]{1,15}$'))`,
);
// Limited before it is filtered, so that a statement reads one page of a table of any size.
const PAGE = sql(
  'payments.reconciled_page',
  `SELECT id, (created_at >= $2 OR status IN ('PENDING', 'SUBMITTED', 'SUCCESS', 'INITIATED')) AS wanted
     FROM payments WHERE id > $1 ORDER BY id LIMIT $3`,
);
const SHARES = sql(
  'payments.live_shares',
  `SELECT s.payment_id, s.old_id, s.tenant, s.order_id, s.amount, p.status, p.mandate_id, o.state, o.sequence
     FROM payment_orders s JOIN payments p ON p.id = s.payment_id LEFT JOIN order_states o ON o.old_id = s.old_id
    WHERE s.live AND s.payment_id = ANY($1)`,
);
// The received money without refunds is at most the payment's amount, and zero for an unpaid payment.
const ACCOUNTS = sql(
  'payments.accounts',
  `SELECT p.id, p.tenant, p.status, p.payment_type, p.amount, p.received_amount, p.refunded_amount,
          coalesce((SELECT sum(c.amount) FROM captures c WHERE c.payment_id = p.id), 0)::numeric(22,4) AS captured
     FROM payments p WHERE p.id = ANY($1) AND p.payment_type <> 'AUTH_TRANSACTION'`,
);
const CAPTURES = sql(
  'captures.named',
  `SELECT provider_reference, payment_id, amount FROM captures WHERE provider_name = $1 AND provider_reference = ANY($2)`,
);
const PAYMENTS = sql(
  'payments.named',
  'SELECT id, tenant, status, payment_type, transfer_reference FROM payments WHERE id = ANY($1)',
);
// The limit is a part of the text: a parameter would be taken for a tenth of the table (decision 0010).
const UNSEEN_CAPTURES = sql(
  'captures.unseen',
  `SELECT c.provider_reference AS object, c.payment_id, c.tenant, c.amount FROM captures c
    WHERE c.provider_name = $1 AND c.provider_reference > $2 AND c.captured_at BETWEEN $3 AND $4
      AND NOT EXISTS (SELECT FROM reconciliation_seen WHERE check_name = $5 AND key = c.provider_reference)
    ORDER BY c.provider_reference LIMIT ${RECONCILIATION_PAGE}`,
);
const REFUNDS = sql(
  'refunds.named',
  `SELECT reference, payment_id, tenant, amount, status FROM refunds WHERE returned_by = 'provider' AND reference = ANY($1)`,
);
const UNSEEN_REFUNDS = sql(
  'refunds.unseen',
  `SELECT r.reference AS object, r.payment_id, r.tenant, r.amount FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE p.provider_name = $1 AND r.returned_by = 'provider' AND r.status = 'SUCCESSFUL' AND r.reference > $2
      AND r.created_at BETWEEN $3 AND $4
      AND NOT EXISTS (SELECT FROM reconciliation_seen WHERE check_name = $5 AND key = r.reference)
    ORDER BY r.reference LIMIT ${RECONCILIATION_PAGE}`,
);
const DEBITS = sql(
  'payments.debits_page',
  `SELECT id, tenant, status, (payment_type = 'NACH' AND created_at >= $2 AND status NOT IN ('FAILED', 'REJECTED')) AS wanted
     FROM payments WHERE id > $1 ORDER BY id LIMIT $3`,
);

/** The stored state of a payment id, before the providers are queried about ids without a payment. */
export interface Standing {
  readonly payment_id: number;
  readonly kind: 'payment' | 'void' | null;
  readonly status: Status | null;
  readonly live: readonly number[];
}

export async function standingsOf(db: Queryable, ids: readonly number[]): Promise<Standing[]> {
  type Row = Omit<Standing, 'live'> & { readonly live: readonly string[] };
  const rows = await db.query<Row>(STANDINGS, [ids]);
  return rows.map((row) => ({ ...row, live: row.live.map(Number) }));
}

/** A page of all payments; `wanted` are those that are open, or not older than `from`. */
export function pageOfPayments(
  db: Queryable,
  after: number,
  from: Date,
): Promise<{ id: number; wanted: boolean }[]> {
  return db.query(PAGE, [after, from, RECONCILIATION_PAGE]);
}

/** A live share with the last received state of its order. */
export interface LiveShare {
  readonly payment_id: number;
  readonly old_id: number;
  readonly tenant: string;
  readonly order_id: string;
  readonly amount: Decimal;
  readonly status: Status;
  readonly mandate_id: number | null;
  readonly state: OrderState | null;
  readonly sequence: number | null;
}

export function liveShares(db: Queryable, paymentIds: readonly number[]): Promise<LiveShare[]> {
  return db.query(SHARES, [paymentIds]);
}

export interface Account {
  readonly id: number;
  readonly tenant: string;
  readonly status: Status;
  readonly payment_type: PaymentRow['payment_type'];
  readonly amount: Decimal;
  readonly received_amount: Decimal;
  readonly refunded_amount: Decimal;
  readonly captured: Decimal;
}

export function accountsOf(db: Queryable, ids: readonly number[]): Promise<Account[]> {
  return db.query(ACCOUNTS, [ids]);
}

export interface NamedPayment {
  readonly id: number;
  readonly tenant: string;
  readonly status: Status;
  readonly payment_type: PaymentRow['payment_type'];
  readonly transfer_reference: string | null;
}

export function paymentsNamed(db: Queryable, ids: readonly number[]): Promise<NamedPayment[]> {
  return db.query(PAYMENTS, [ids]);
}

interface NamedCapture {
  readonly provider_reference: string;
  readonly payment_id: number;
  readonly amount: Decimal;
}

export function capturesNamed(
  db: Queryable,
  provider: string,
  references: readonly string[],
): Promise<NamedCapture[]> {
  return db.query(CAPTURES, [provider, references]);
}

/** Our rows of one provider after `after`, that this check has not seen in its list. */
interface UnseenQuery {
  readonly provider: string;
  readonly check: string;
  readonly after: string;
  readonly from: Date;
  readonly to: Date;
}

/** As a finding names it. */
type Unseen = About & { readonly place: string };

export function unseenCaptures(db: Queryable, query: UnseenQuery): Promise<Unseen[]> {
  return unseen(db, UNSEEN_CAPTURES, query);
}

export function unseenRefunds(db: Queryable, query: UnseenQuery): Promise<Unseen[]> {
  return unseen(db, UNSEEN_REFUNDS, query);
}

async function unseen(
  db: Queryable,
  statement: Statement,
  { provider, check, after, from, to }: UnseenQuery,
): Promise<Unseen[]> {
  type Row = Pick<NamedRefund, 'payment_id' | 'tenant' | 'amount'> & { readonly object: string };
  const values = [provider, after, from, to, check];
  return (await db.query<Row>(statement, values)).map(({ object, tenant, payment_id, amount }) => ({
    ...{ place: object, object, tenant },
    facts: { payment_id, amount_here: amount.toString(), provider },
  }));
}

export interface NamedRefund {
  readonly reference: string;
  readonly payment_id: number;
  readonly tenant: string;
  readonly amount: Decimal;
  readonly status: 'CREATED' | 'SUCCESSFUL' | 'FAILED';
}

export function refundsNamed(db: Queryable, references: readonly string[]): Promise<NamedRefund[]> {
  return db.query(REFUNDS, [references]);
}

/** A page of all payments; `wanted` are live debits. */
export function pageOfDebits(
  db: Queryable,
  after: number,
  from: Date,
): Promise<{ id: number; tenant: string; status: Status; wanted: boolean }[]> {
  return db.query(DEBITS, [after, from, RECONCILIATION_PAGE]);
}
