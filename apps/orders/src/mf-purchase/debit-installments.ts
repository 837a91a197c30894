import { MOST_DEBITS_AT_ONCE, raisedDebits, type RaisedDebits } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import {
  DueLane,
  endDue,
  leaseDue,
  leaveDue,
  scheduleAllDue,
  signalOf,
  type LeasedDue,
} from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import { ORDER } from '../order/order.aggregate.ts';
import type { Order } from '../order/order.ts';
import { findByReferences } from '../order/order.repository.ts';
import { lockDebited, noteDebitsOver } from './installment-debit.repository.ts';
import { awaitsDebit, awaitsPayment, confirmPaid } from './purchase-installment.ts';

/** Longer than payments takes to answer plus the time to record the results. */
const LEASE_MS = 60_000;
/** Longer than payments works on one call (`WAITED_MS` there). Twice this is less than a service has for its stop. */
const TIMEOUT_MS = 4_500;
type Result = RaisedDebits['results'][number];
/** An installment whose plan has a mandate. */
type Debited = Order & { readonly debited_mandate: number };

/**
 * Debits the mandates of purchase plans for their reviewed installments, up to 256 in one call (SIP-25). Payments creates one debit for
 * an order, so a repeated call is harmless. A raised debit confirms its installment. A refused one leaves it pending and payable.
 */
@Injectable()
export class DebitInstallments extends DueLane {
  readonly name = 'debits of installments';
  override readonly signal = signalOf(ORDER_DUE.debit);

  constructor(
    private readonly database: Database,
    private readonly services: ServiceClient,
    private readonly log: Log,
  ) {
    super();
  }

  /** Its work is rows of `due_work`, whose due times the due worker reads. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Runs one batch. Also returns 0 when payments does not answer: then the whole batch is tried again later. */
  async run(now: Date): Promise<number> {
    const lease = { kind: ORDER_DUE.debit, now, most: MOST_DEBITS_AT_ONCE, leaseMs: LEASE_MS };
    const works = await leaseDue(this.database, { ...lease, token: randomUUID() });
    if (works.length === 0) return 0;
    const rows = await findByReferences(
      this.database,
      works.map(({ key }) => key),
    );
    const open = rows.filter(isOpen);
    const asked = works.filter(({ key }) => open.some(({ id }) => id === key));
    await endDue(
      this.database,
      works.filter((work) => !asked.includes(work)),
    );
    try {
      await this.raise(open, asked, now);
      return works.length;
    } catch (error) {
      this.log.warn('debits of installments could not be raised', {
        orders: open.length,
        why: String(error),
      });
      for (const work of asked) await leaveDue(this.database, work, now);
      return 0;
    }
  }

  private async raise(open: readonly Debited[], works: readonly LeasedDue[], now: Date): Promise<void> {
    if (open.length === 0) return;
    const debits = open.map(({ tenant, debited_mandate: mandate_id, old_id, id: order_id }) => ({
      ...{ tenant, mandate_id, old_id, order_id },
    }));
    const { results } = await this.services.call('payments', {
      method: 'POST',
      path: '/internal/payments/debits/batch',
      body: { debits },
      answer: raisedDebits,
      timeoutMs: TIMEOUT_MS,
      retry: true,
    });
    const byId = new Map(
      open.map(({ id }, index) => [id, results[index] ?? { outcome: 'unknown' as const }]),
    );
    const isKnown = ({ key }: LeasedDue) => byId.get(key)?.outcome !== 'unknown';
    await this.database.transaction(async (tx) => {
      await this.record(tx, byId);
      await endDue(tx, works.filter(isKnown));
      await passFaultPoint('orders.debits.before_commit');
    });
    for (const work of works) if (!isKnown(work)) await leaveDue(this.database, work, now);
  }

  private async record(tx: Tx, results: ReadonlyMap<string, Result>): Promise<void> {
    const known = [...results].filter(([, { outcome }]) => outcome !== 'unknown').map(([id]) => id);
    const locked = (await lockDebited(tx, known)).filter(({ debit_over_at }) => debit_over_at === null);
    const payments = locked.map((row) => [row.old_id, paymentIn(results.get(row.id))] as const);
    await noteDebitsOver(tx, new Map(payments));
    const rows = locked.map((row) => noted(row, paymentIn(results.get(row.id)), tx.now));
    const confirmed = rows.flatMap((row) => {
      const result = results.get(row.id);
      const step =
        result?.outcome === 'raised' && isLive(result) ? confirmPaid(row, result.payment_id, tx.now) : null;
      return step ? [{ before: row, steps: [step] }] : [];
    });
    await ORDER.recordAll(tx, confirmed);
    const done = new Set(confirmed.map(({ before }) => before.id));
    // A payment of the client was first, and confirms the installment instead.
    const held = rows.filter((row) => !done.has(row.id) && awaitsPayment(row));
    await scheduleAllDue(
      tx,
      held.map(({ id: key, tenant }) => ({ kind: ORDER_DUE.confirm, key, tenant, due_at: tx.now })),
    );
    for (const { tenant, id } of rows) {
      const result = results.get(id);
      if (result?.outcome !== 'refused') continue;
      const { code, message } = result;
      this.log.info('an installment is not debited', { tenant, id, code, why: message });
    }
  }
}

function isOpen(row: Order): row is Debited {
  return awaitsDebit(row);
}

/** The row as `noteDebitsOver` leaves it. */
function noted(row: Order, payment: number | null, now: Date): Order {
  const isKnown = row.claimed_by !== null && row.claimed_by === payment;
  return { ...row, debit_over_at: now, claim_check_at: isKnown ? null : row.claim_check_at };
}

function paymentIn(result: Result | undefined): number | null {
  return result?.outcome === 'raised' ? result.payment_id : null;
}

function isLive({ status }: Extract<Result, { outcome: 'raised' }>): boolean {
  return status !== 'FAILED' && status !== 'REJECTED';
}
