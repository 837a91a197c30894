import { appendEvents, eventsOf } from '@fundrail/messaging';
import type { Tx } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { knowMandateToken } from '../authorisation/mandate-token.repository.ts';
import {
  addCapture,
  addHistory,
  freeShares,
  isCaptureOfAnother,
  lockPayment,
  putRefund,
  updatePayment,
} from './payment.repository.ts';
import { contradicted, isDead, toPayment } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

export interface PaymentKey {
  readonly tenant: string;
  readonly id: number;
}
/** A pure decision over the locked payment, or one that reads more in the same transaction. */
export type Decide = (payment: Payment, tx: Tx) => Outcome | Promise<Outcome>;

/** The one way in which a payment changes: lock, decide, write row, history, events and due work (architecture §3). */
@Injectable()
export class ChangePayment {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** In a transaction of its own. Answers the payment as it is then, or null when there is none. */
  execute(key: PaymentKey, decide: Decide): Promise<Payment | null> {
    return this.database.transaction((tx) => this.within(tx, key, decide));
  }

  /** In the transaction of a consumer, a callback or an idempotent request. */
  async within(tx: Tx, { tenant, id }: PaymentKey, decide: Decide): Promise<Payment | null> {
    const before = await lockPayment(tx, tenant, id);
    if (!before) return null;
    const outcome = await onlyOwnCaptures(tx, before, await decide(before, tx));
    await record(tx, before, outcome);
    this.tell(before, outcome);
    return outcome.payment;
  }

  private tell(before: Payment, { payment, steps, contradiction }: Outcome): void {
    const about = { tenant: payment.tenant, payment_id: payment.id };
    if (contradiction)
      this.log.warn('a fact about a payment contradicts what is known', {
        ...about,
        contradiction,
        status: before.status,
      });
    for (const { reference, attempt } of payment.refunds.slice(before.refunds.length))
      if (attempt > 1)
        this.log.warn('a refund was refused and is tried again', { ...about, reference, attempt });
    for (const { trigger, from, row } of steps)
      this.log.info('payment changed', { ...about, trigger, from, to: row.status });
  }
}

/** One capture pays one payment: a provider that tells it of a second one contradicts itself, and nothing changes. */
async function onlyOwnCaptures(tx: Tx, before: Payment, outcome: Outcome): Promise<Outcome> {
  for (const capture of outcome.payment.captures.slice(before.captures.length))
    if (await isCaptureOfAnother(tx, capture)) return contradicted(before, 'capture_of_another_payment');
  return outcome;
}

async function record(tx: Tx, before: Payment, { payment, steps, due }: Outcome): Promise<void> {
  if (steps.length > 0) await writeRows(tx, before, payment);
  let previous = before;
  for (const step of steps) {
    const { fact } = step;
    await addHistory(tx, step);
    if (fact) await knowMandateToken(tx, payment, fact);
    await appendEvents(
      tx,
      eventsOf({
        decision: step,
        before: fact ? null : previous,
        aggregateId: String(payment.id),
        // A fact has no earlier state: it is told as new.
        toObject: fact ? () => fact : toPayment,
        now: tx.now,
      }),
    );
    previous = step.row;
  }
  for (const task of due) await scheduleDue(tx, { ...task, tenant: payment.tenant });
}

/** A dead payment lets go of all its orders, a living one of those whose share it gave back. */
function newlyFree(before: Payment, after: Payment): readonly number[] {
  const free = (payment: Payment) =>
    (isDead(payment.status) ? payment.orders : sharesGivenBack(payment)).map((share) => share.old_id);
  const known = new Set(free(before));
  return free(after).filter((id) => !known.has(id));
}

async function writeRows(tx: Tx, before: Payment, after: Payment): Promise<void> {
  await updatePayment(tx, after);
  await freeShares(tx, after, newlyFree(before, after));
  for (const capture of after.captures.slice(before.captures.length)) await addCapture(tx, capture);
  const known = new Set(before.refunds);
  for (const refund of after.refunds) if (!known.has(refund)) await putRefund(tx, refund);
}
