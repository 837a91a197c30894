import { Decimal, istTimestamp, type PaymentTraceDto, type TracedDebit } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { callProgress, type RecordedCallRow } from '@fundrail/service-kit/calls';
import type { Collection } from '../collection/collection.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import type { RefundRow, ShareRow } from '../payment/payment.tables.ts';
import type { DueKind, Payment } from '../payment/payment.ts';

/** A step of `payment_history`. */
export interface StepRow {
  readonly trigger: string;
  readonly from_status: string;
  readonly to_status: string;
  readonly at: Date;
}

/** The earliest time of the due work with one of these kinds and this key; null when there is none. */
export type NextTry = (kinds: readonly string[], key: string) => Date | null;

/** All stored facts about the progress of a payment. */
export interface TraceFacts {
  readonly payment: Collection;
  /** Null for a payment that is no debit, and for a debit that mandates does not have. */
  readonly debit: TracedDebit | null;
  readonly states: OrderStates;
  readonly calls: ReadonlyMap<string, RecordedCallRow>;
  readonly nextTry: NextTry;
  readonly history: readonly StepRow[];
}

/** The kinds of due work of a payment. Their key is the payment's id, or the reference for a refund. */
export const COLLECTION_WORK: readonly DueKind[] = [
  'payment.issue_uri',
  'payment.send_collect',
  'authorisation.collect',
  'payment.status',
];
export const TRANSFER_WORK = ['payment.transfer'];
export const REFUND_WORK = ['payment.refund'];
/** The trace as operators see it. Amounts in rupees, times in Indian time. */
export function toTrace(facts: TraceFacts): PaymentTraceDto {
  const { payment } = facts;
  return {
    object: 'payment_trace',
    ...standing(payment),
    orders: payment.orders.map(({ old_id, order_id: id, amount, live }) => {
      return { old_id, id, amount, state: facts.states.get(old_id) ?? null, live };
    }),
    collection: payment.payment_type === 'NACH' ? null : collection(facts),
    debit: facts.debit,
    captures: payment.captures.map(({ provider_reference, amount, currency, captured_at }) => ({
      ...{ provider_reference, amount, currency, captured_at: istTimestamp(captured_at) },
      amc_order_ids: ids(payment.orders),
    })),
    transfer: transfer(facts),
    refunds: payment.refunds.map((row) => refund(facts, row)),
    history: facts.history.map(({ trigger: step, from_status: from, to_status: to, at }) => {
      return { step, from, to, at: istTimestamp(at) };
    }),
  };
}

function standing(payment: Collection) {
  const { id, tenant, payment_type, status, failure_code, amount, received_amount, refunded_amount } =
    payment;
  const { method, provider_name, mandate_id, source_ref_id } = payment;
  return {
    ...{ id, tenant, payment_type, status, failure_code, amount, received_amount, refunded_amount },
    ...{ method, provider_name, mandate_id, source_ref_id },
    created_at: istTimestamp(payment.created_at),
    submitted_at: istTimestamp(payment.submitted_at),
    debit_confirmed_at: istTimestamp(payment.debit_confirmed_at),
    transfer_initiated_at: istTimestamp(payment.transfer_initiated_at),
    settled_at: istTimestamp(payment.settled_at),
    failed_at: istTimestamp(payment.failed_at),
    rejected_at: istTimestamp(payment.rejected_at),
    expires_at: istTimestamp(payment.request?.expires_at ?? null),
  };
}

function collection(facts: TraceFacts) {
  const { id, orders } = facts.payment;
  const next = facts.nextTry(COLLECTION_WORK, String(id));
  return { ...callProgress(facts.calls, paymentReference(id), next), amc_order_ids: ids(orders) };
}

function transfer(facts: TraceFacts): PaymentTraceDto['transfer'] {
  const { payment } = facts;
  if (payment.transfer_reference === null) return null;
  const shares = transferredShares(payment);
  const next = facts.nextTry(TRANSFER_WORK, String(payment.id));
  return {
    ...callProgress(facts.calls, payment.transfer_reference, next),
    amount: Decimal.sum(shares.map(({ amount }) => amount)),
    initiated_at: istTimestamp(payment.transfer_initiated_at),
    accepted_at: istTimestamp(payment.transfer_accepted_at),
    settled_at: istTimestamp(payment.settled_at),
    amc_order_ids: ids(shares),
  };
}

/** The shares in the transfer, also when it was rejected and the money went back. */
function transferredShares({ orders, refunds }: Payment): readonly ShareRow[] {
  const before = refunds.filter(
    ({ reason, returned_by }) => returned_by === 'provider' && reason !== 'transfer_rejected',
  );
  const gone = new Set(before.flatMap(({ amc_order_ids }) => amc_order_ids));
  return orders.filter(({ old_id }) => !gone.has(old_id));
}

function refund(facts: TraceFacts, row: RefundRow): PaymentTraceDto['refunds'][number] {
  const { reference, amount, reason, status, failure_code, accepted, returned_by, amc_order_ids } = row;
  return {
    ...callProgress(facts.calls, reference, facts.nextTry(REFUND_WORK, reference)),
    ...{ amount, reason, status, failure_code, accepted, returned_by },
    created_at: istTimestamp(row.created_at),
    amc_order_ids: [...amc_order_ids],
  };
}

function ids(shares: readonly ShareRow[]): number[] {
  return shares.map(({ old_id }) => old_id);
}
