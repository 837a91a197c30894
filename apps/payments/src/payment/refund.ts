import type { Decimal } from '@fundrail/contracts';
import { refundReference } from '@fundrail/providers';
import type { RefundStatus } from '@fundrail/providers';
import { amended, paymentMachine } from '@fundrail/state-machines';
import type { RefundReason, RefundRow, ShareRow } from './payment.tables.ts';
import { contradicted, note, stepped, unchanged } from './payment.ts';
import type { DueTask, Outcome, Payment } from './payment.ts';

/**
 * How long a refused refund waits for its next attempt: the schedule of GATE-3, then once a day. It is never given up: the money
 * belongs to the investor, and a balance that is too low today may be filled tomorrow.
 */
const PAUSES_MS = [0, 5_000, 30_000, 300_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000];
const LAST_PAUSE_MS = 86_400_000;
const UPDATED_EVENT = ['payment.updated'] as const;

/** The columns that a new refund changes; spread them into the step that starts it. */
type RefundChange = Pick<Payment, 'refunds' | 'refunded_amount'>;

interface NewRefund {
  readonly amount: Decimal;
  readonly reason: RefundReason;
  readonly orders: readonly number[];
  readonly attempt?: number;
}

/** The money that came in and does not go back. */
export function remaining(payment: Payment): Decimal {
  return payment.received_amount.minus(payment.refunded_amount);
}

/** The shares that no refund covers; a transfer carries them (REF-7). A refused refund covers its shares too, because it is retried. */
export function sharesLeft(payment: Payment): readonly ShareRow[] {
  const covered = new Set(payment.refunds.filter(byProvider).flatMap((refund) => refund.amc_order_ids));
  return payment.orders.filter((share) => !covered.has(share.old_id));
}

/** The shares that went or go back to the investor: other payments may pay their orders. */
export function sharesGivenBack(payment: Payment): readonly ShareRow[] {
  const left = new Set(sharesLeft(payment).map((share) => share.old_id));
  return payment.orders.filter((share) => !left.has(share.old_id));
}

function byProvider(refund: RefundRow): boolean {
  return refund.returned_by === 'provider';
}

/** Adds a refund. `refundTasks` makes it due. */
export function startRefund(payment: Payment, refund: NewRefund, now: Date): RefundChange {
  const row = newRow(payment, refund, now);
  return { refunds: [...payment.refunds, row], refunded_amount: payment.refunded_amount.plus(refund.amount) };
}

function newRow(payment: Payment, refund: NewRefund, now: Date): RefundRow {
  const number = payment.refunds.length + 1;
  return {
    reference: refundReference(payment.id, number),
    tenant: payment.tenant,
    payment_id: payment.id,
    number,
    amount: refund.amount,
    reason: refund.reason,
    status: 'CREATED',
    failure_code: null,
    attempt: refund.attempt ?? 1,
    accepted: false,
    returned_by: 'provider',
    amc_order_ids: [...refund.orders],
    created_at: now,
  };
}

/** The due work of the refunds that `before` did not have. */
export function refundTasks(before: Payment, after: Pick<Payment, 'refunds'>, now: Date): DueTask[] {
  return after.refunds
    .slice(before.refunds.length)
    .filter((refund) => byProvider(refund) && refund.status === 'CREATED')
    .map(({ reference, attempt }) => ({
      kind: 'payment.refund',
      key: reference,
      due_at: new Date(now.getTime() + (PAUSES_MS[attempt - 1] ?? LAST_PAUSE_MS)),
    }));
}

/** Applies the provider's status of a refund. After a refusal, the next attempt has a new row and key (REF-4). */
export function refundAnswered(
  payment: Payment,
  reference: string,
  status: RefundStatus,
  now: Date,
): Outcome {
  const refund = payment.refunds.find((row) => row.reference === reference && byProvider(row));
  if (!refund) return contradicted(payment, 'refund_unknown_here');
  switch (status.status) {
    case 'waiting':
      return refund.accepted || refund.status !== 'CREATED' ? unchanged(payment) : accepted(payment, refund);
    case 'successful':
      if (refund.status === 'FAILED') return contradicted(payment, 'refund_successful_after_failed');
      return refund.status === 'SUCCESSFUL' ? unchanged(payment) : succeeded(payment, refund);
    case 'failed':
      if (refund.status === 'SUCCESSFUL') return contradicted(payment, 'refund_failed_after_successful');
      return refund.status === 'FAILED'
        ? unchanged(payment)
        : refused(payment, refund, status.failure_code, now);
    default:
      return status satisfies never;
  }
}

function accepted(payment: Payment, refund: RefundRow): Outcome {
  return note(payment, 'accept_refund', replaced(payment, { ...refund, accepted: true }));
}

function succeeded(payment: Payment, refund: RefundRow): Outcome {
  const done = { ...refund, accepted: true, status: 'SUCCESSFUL' } as const;
  return stepped(
    amended(paymentMachine, payment, 'refund', {
      changes: replaced(payment, done),
      events: UPDATED_EVENT,
    }),
  );
}

function refused(payment: Payment, refund: RefundRow, code: string, now: Date): Outcome {
  const failed = replaced(payment, { ...refund, status: 'FAILED', failure_code: code });
  const without = { ...payment, ...failed, refunded_amount: payment.refunded_amount.minus(refund.amount) };
  const again = {
    amount: refund.amount,
    reason: refund.reason,
    orders: refund.amc_order_ids,
    attempt: refund.attempt + 1,
  };
  const changes = startRefund(without, again, now);
  const step = amended(paymentMachine, payment, 'refund', { changes, events: UPDATED_EVENT });
  return stepped(step, refundTasks(payment, changes, now));
}

function replaced(payment: Payment, refund: RefundRow): Pick<Payment, 'refunds'> {
  return { refunds: payment.refunds.map((row) => (row.reference === refund.reference ? refund : row)) };
}

/** Money that the registrar gives back after the transfer: published, but not part of what we refund (REF-6). */
export function returnedByRegistrar(payment: Payment, shares: readonly ShareRow[], now: Date): Outcome {
  const rows = shares.reduce<readonly RefundRow[]>((refunds, share) => {
    const refund = { amount: share.amount, reason: 'order_failed', orders: [share.old_id] } as const;
    const row = newRow({ ...payment, refunds }, refund, now);
    return [...refunds, { ...row, status: 'SUCCESSFUL', returned_by: 'registrar' }];
  }, payment.refunds);
  return stepped(
    amended(paymentMachine, payment, 'return_by_registrar', {
      changes: { refunds: rows },
      events: UPDATED_EVENT,
    }),
  );
}
