import { Decimal, istTimestamp, PROVIDER_NAMES, type PaymentTraceDto } from '@fundrail/contracts';
import { executionKind, openAttempt } from '../debit/debit.ts';
import type { AttemptRow, Debit } from '../debit/debit.tables.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import type { Payment } from '../payment/payment.ts';
import type { RefundRow, ShareRow } from '../payment/payment.tables.ts';
import { attemptReference, noticeReference, paymentReference } from '../payment/references.ts';
import { outcomeNamed } from './provider-answer.ts';
import type { ProviderCallRow } from './provider-call.repository.ts';

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
  readonly payment: Payment;
  readonly debit: Debit | null;
  readonly states: OrderStates;
  readonly calls: ReadonlyMap<string, ProviderCallRow>;
  readonly nextTry: NextTry;
  readonly history: readonly StepRow[];
}

type CallProgress = Pick<
  PaymentTraceDto['refunds'][number],
  'reference' | 'attempts' | 'last_tried_at' | 'next_try_at' | 'last_answer'
>;

/** The kinds of due work of a payment. Their key is the payment's id, or the reference for a refund. */
export const COLLECTION_WORK = [
  'payment.issue_uri',
  'payment.send_collect',
  'authorisation.collect',
  'payment.status',
];
export const TRANSFER_WORK = ['payment.transfer'];
export const REFUND_WORK = ['payment.refund'];
export const NOTICE_WORK = ['debit.notify', 'debit.withdraw'];
export const EXECUTION_WORK = PROVIDER_NAMES.map(executionKind);
export const RESULT_WORK = ['debit.status'];

/** The trace as operators see it. Amounts in rupees, times in Indian time. */
export function toTrace(facts: TraceFacts): PaymentTraceDto {
  const { payment, debit } = facts;
  return {
    object: 'payment_trace',
    ...standing(payment),
    orders: payment.orders.map(({ old_id, order_id: id, amount, live }) => {
      return { old_id, id, amount, state: facts.states.get(old_id) ?? null, live };
    }),
    collection: debit ? null : collection(facts),
    debit: debit && toDebit(facts, debit),
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

function standing(payment: Payment) {
  const { id, tenant, payment_type, status, failure_code, amount, received_amount, refunded_amount } =
    payment;
  const { method, provider_name, mandate_id, source_ref_id } = payment;
  return {
    ...{ id, tenant, payment_type, status, failure_code, amount, received_amount, refunded_amount },
    ...{ method, provider_name, mandate_id, source_ref_id },
    created_at: istTimestamp(payment.created_at),
    submitted_at: stamp(payment.submitted_at),
    debit_confirmed_at: stamp(payment.debit_confirmed_at),
    transfer_initiated_at: stamp(payment.transfer_initiated_at),
    settled_at: stamp(payment.settled_at),
    failed_at: stamp(payment.failed_at),
    rejected_at: stamp(payment.rejected_at),
    expires_at: stamp(payment.expires_at),
  };
}

function callProgress({ calls }: TraceFacts, reference: string, next: Date | null): CallProgress {
  const row = calls.get(reference);
  return {
    reference,
    attempts: row?.attempts ?? null,
    last_tried_at: stamp(row?.tried_at ?? null),
    next_try_at: stamp(next),
    last_answer: row
      ? {
          call: row.call,
          outcome: outcomeNamed(row.outcome),
          text: row.detail,
          at: istTimestamp(row.answered_at),
        }
      : null,
  };
}

function collection(facts: TraceFacts) {
  const { id, orders } = facts.payment;
  const next = facts.nextTry(COLLECTION_WORK, String(id));
  return { ...callProgress(facts, paymentReference(id), next), amc_order_ids: ids(orders) };
}

function transfer(facts: TraceFacts): PaymentTraceDto['transfer'] {
  const { payment } = facts;
  if (payment.transfer_reference === null) return null;
  const shares = transferredShares(payment);
  const next = facts.nextTry(TRANSFER_WORK, String(payment.id));
  return {
    ...callProgress(facts, payment.transfer_reference, next),
    amount: Decimal.sum(shares.map(({ amount }) => amount)),
    initiated_at: stamp(payment.transfer_initiated_at),
    accepted_at: stamp(payment.transfer_accepted_at),
    settled_at: stamp(payment.settled_at),
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
    ...callProgress(facts, reference, facts.nextTry(REFUND_WORK, reference)),
    ...{ amount, reason, status, failure_code, accepted, returned_by },
    created_at: istTimestamp(row.created_at),
    amc_order_ids: [...amc_order_ids],
  };
}

function toDebit(facts: TraceFacts, debit: Debit): NonNullable<PaymentTraceDto['debit']> {
  const key = String(debit.payment_id);
  const notice = noticeReference(debit.payment_id, debit.notice_number);
  return {
    execute_at: istTimestamp(debit.execute_at),
    notice: {
      ...callProgress(facts, notice, facts.nextTry(NOTICE_WORK, key)),
      notified_at: stamp(debit.notified_at),
      failed_at: stamp(debit.notice_failed_at),
      withdrawn_at: stamp(debit.notice_withdrawn_at),
    },
    executions: [
      ...debit.attempts.map((attempt) => executed(facts, debit, attempt)),
      ...planned(facts, debit),
    ],
  };
}

type Execution = NonNullable<PaymentTraceDto['debit']>['executions'][number];

function executed(facts: TraceFacts, debit: Debit, attempt: AttemptRow): Execution {
  const { reference, number, failure_code } = attempt;
  return {
    ...callProgress(facts, reference, isQueried(debit, attempt) ? nextQuery(facts, debit) : null),
    number,
    started_at: istTimestamp(attempt.started_at),
    accepted_at: stamp(attempt.accepted_at),
    ended_at: stamp(attempt.ended_at),
    failure_code,
    amc_order_ids: ids(facts.payment.orders),
  };
}

/** The open attempt; when none is open, all that the provider may have received. */
function isQueried(debit: Debit, attempt: AttemptRow): boolean {
  const open = openAttempt(debit);
  return open ? open === attempt : attempt.never !== 'forbidden';
}

function nextQuery({ nextTry }: TraceFacts, { payment_id }: Debit): Date | null {
  return nextTry(RESULT_WORK, String(payment_id));
}

/** The next planned attempt. If it was postponed before, its calls are recorded. */
function planned(facts: TraceFacts, { payment_id, attempts }: Debit): Execution[] {
  const next = facts.nextTry(EXECUTION_WORK, String(payment_id));
  if (next === null) return [];
  const number = attempts.length + 1;
  const nothingYet = { started_at: null, accepted_at: null, ended_at: null, failure_code: null };
  const amc_order_ids = ids(facts.payment.orders);
  return [
    {
      ...callProgress(facts, attemptReference(payment_id, number), next),
      number,
      ...nothingYet,
      amc_order_ids,
    },
  ];
}

function ids(shares: readonly ShareRow[]): number[] {
  return shares.map(({ old_id }) => old_id);
}

function stamp(at: Date | null): string | null {
  return at && istTimestamp(at);
}
