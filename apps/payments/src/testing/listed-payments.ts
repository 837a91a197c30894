import { addDays, istDate, istInstant } from '@fundrail/contracts';
import type { PaymentStatus } from '@fundrail/state-machines';
import type { PaymentType } from '../payment/payment.tables.ts';

/** The fields of a payment that a list reads. */
export interface Listed {
  readonly id: number;
  readonly tenant: string;
  readonly payment_type: PaymentType;
  readonly status: PaymentStatus;
  readonly created_at: Date;
  readonly source_ref_id: string | null;
  readonly amc_order_ids: readonly number[];
}

/** Inserts payments and their shares; $1 is the result of `listedAsJson`. */
export const INSERT_LISTED = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (id bigint, tenant text, payment_type text, status text,
      created_at timestamptz, source_ref_id text, amc_order_ids bigint[])
  ), payment AS (
    INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, from_bank_account_id, provider_name,
      source_ref_id, failure_code, created_at, event_seq, received_amount, transfer_reference, mandate_id)
    SELECT id, tenant, payment_type, status, CASE payment_type WHEN 'AUTH_TRANSACTION' THEN 0 ELSE 100 END, payment_day(created_at), 7, 'GATEWAYPOA',
      source_ref_id, CASE status WHEN 'FAILED' THEN 'payment_expired' END, created_at, 1, 100,
      CASE WHEN status IN ('INITIATED', 'APPROVED') THEN 'trf_' || id END,
      CASE WHEN payment_type <> 'NETBANKING' THEN 501 END
    FROM given
  )
  INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live)
  SELECT id, old_id, tenant, 'mfp_' || old_id, 100, false FROM given CROSS JOIN unnest(amc_order_ids) AS old_id`;

export function listedAsJson(payments: readonly Listed[]): string {
  return JSON.stringify(payments);
}

/** The query parameters of a list. */
export interface ListQuery {
  readonly from?: string;
  readonly to?: string;
  readonly payment_type?: PaymentType;
  readonly payment_status?: PaymentStatus;
  readonly amc_order_ids?: readonly number[];
  readonly source_ref_id?: string;
  readonly direction?: 'asc' | 'DESC';
  readonly page: number;
  readonly size: number;
}

/** The reference result: a page by CONV-22, computed in a simple way over all payments. */
export function plainPage(all: readonly Listed[], tenant: string, query: ListQuery) {
  const { from, to, payment_type, payment_status, amc_order_ids, source_ref_id, page, size } = query;
  const step = query.direction === 'asc' ? -1 : 1;
  const found = all
    .filter((one) => one.tenant === tenant)
    .filter((one) => !from || one.created_at >= istInstant(from))
    .filter((one) => !to || one.created_at < istInstant(addDays(to, 1)))
    .filter((one) => !payment_type || one.payment_type === payment_type)
    .filter((one) => !payment_status || one.status === payment_status)
    .filter((one) => !source_ref_id || one.source_ref_id === source_ref_id)
    .filter((one) => !amc_order_ids || one.amc_order_ids.some((id) => amc_order_ids.includes(id)))
    .sort((a, b) => step * (b.created_at.getTime() - a.created_at.getTime() || b.id - a.id));
  const pages = Math.ceil(found.length / size);
  const ids = found.slice(page * size, (page + 1) * size).map(({ id }) => id);
  return {
    first: page === 0,
    last: page >= pages - 1,
    total_pages: pages,
    total_elements: found.length,
    size,
    number: page,
    number_of_elements: ids.length,
    payments: ids,
  };
}

/** The counters that payments should have: how many by tenant, IST day, type and status. */
export function plainCounts(all: readonly Listed[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tenant, created_at, payment_type, status } of all) {
    const key = [tenant, istDate(created_at), payment_type, status].join(' ');
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
