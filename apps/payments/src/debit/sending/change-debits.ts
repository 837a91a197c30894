import { GroupedCalls } from '@fundrail/messaging';
import type { Tx } from '@fundrail/messaging';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { endDue } from '@fundrail/service-kit/due';
import type { LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from '../../payment/change-payment.ts';
import type { PaymentKey } from '../../payment/change-payment.ts';
import { orderStates } from '../../payment/order-state.repository.ts';
import type { OrderStates } from '../../payment/orders-of-payment.ts';
import type { Payment } from '../../payment/payment.ts';
import type { DecidedPayment } from '../../payment/record-changes.ts';
import type { PaymentWithDebit } from '../change-debit.ts';
import { findDebits, saveDebits } from '../debit.repository.ts';
import type { ChangedDebit } from '../debit.repository.ts';
import type { Debit, DebitOutcome } from '../debit.ts';

/** Debits of one transaction at most: beyond this it only grows, and a fault in it undoes more at once. */
const MOST_TOGETHER = 64;
/** Transactions at the same time: while one commits, the next one is decided. */
const AT_ONCE = 2;

/** A decision over a debit. Pure, and about no money that came in: captures are checked one by one, by `ChangeDebit`. */
export interface DebitChange {
  readonly key: PaymentKey;
  readonly decide: (payment: Payment, debit: Debit, states: OrderStates, now: Date) => DebitOutcome;
  /** The work that ends with it, in the same transaction; all of one lease. */
  readonly ends?: LeasedDue;
  /** W3C trace context of what is done for this debit. */
  readonly traceparent: string | null;
}

/** What became of one change. After a lost connection nobody knows whether it was written. */
interface Written {
  readonly changed: PaymentWithDebit | null;
  readonly error: Error | null;
}

/**
 * Changes of debits that come together share a transaction and its statements (decision 0006). Each stands or falls alone: when
 * the database refuses the group, each is tried by itself.
 */
@Injectable()
export class ChangeDebits {
  private readonly groups = new GroupedCalls(
    (group: readonly DebitChange[]) => this.write(group),
    MOST_TOGETHER,
    AT_ONCE,
  );

  constructor(
    private readonly change: ChangePayment,
    private readonly database: Database,
  ) {}

  /** Answers payment and debit as they are then, or null when there is no such debit. */
  async execute(asked: DebitChange): Promise<PaymentWithDebit | null> {
    const { changed, error } = await this.groups.call(asked);
    if (error) throw error;
    return changed;
  }

  /** One group, in the order given: null where there is no such debit, or where its change failed, which is told to `failed`. */
  async together(
    asked: readonly DebitChange[],
    failed: (asked: DebitChange, error: Error) => void,
  ): Promise<(PaymentWithDebit | null)[]> {
    const written = await this.write(asked);
    return asked.map((one, index) => {
      const { changed = null, error = null } = written[index] ?? {};
      if (error) failed(one, error);
      return changed;
    });
  }

  private async write(group: readonly DebitChange[]): Promise<Written[]> {
    const ids = new Set(group.map(({ key }) => key.id));
    try {
      // The second decision over one payment would not see the first.
      if (ids.size < group.length) throw new Error('a debit is changed twice in one group');
      const changed = await this.database.transaction((tx) => this.writeIn(tx, group));
      return group.map(({ key }) => ({ changed: changed.get(key.id) ?? null, error: null }));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (group.length === 1 || isLostDatabase(error)) return group.map(() => ({ changed: null, error }));
      const alone: Written[] = [];
      for (const one of group) alone.push(...(await this.write([one])));
      return alone;
    }
  }

  private async writeIn(tx: Tx, group: readonly DebitChange[]): Promise<Map<number, PaymentWithDebit>> {
    // Before anything is scheduled: what is scheduled again under the same key stays.
    await endDue(
      tx,
      group.flatMap(({ ends }) => ends ?? []),
    );
    const byId = new Map(group.map((one) => [one.key.id, one]));
    const debits = new Map<number, Debit>();
    const payments = await this.change.allWithin(
      tx,
      group.map(({ key }) => key),
      async (locked) => {
        const known = await findDebits(tx, locked);
        const { decided, changes } = await decideAll(tx, byId, locked, known);
        await saveDebits(tx, changes);
        for (const { after } of changes) debits.set(after.payment_id, after);
        return decided;
      },
    );
    return new Map(
      payments.flatMap((payment) => {
        const debit = debits.get(payment.id);
        return debit ? [[payment.id, { payment, debit }]] : [];
      }),
    );
  }
}

async function decideAll(
  tx: Tx,
  asked: ReadonlyMap<number, DebitChange>,
  payments: readonly Payment[],
  debits: ReadonlyMap<number, Debit>,
): Promise<{ decided: DecidedPayment[]; changes: ChangedDebit[] }> {
  const states = await statesOfAll(tx, payments);
  const decided: DecidedPayment[] = [];
  const changes: ChangedDebit[] = [];
  for (const before of payments) {
    const [change, debit] = [asked.get(before.id), debits.get(before.id)];
    if (!change || !debit) continue;
    const { outcome, debit: after } = change.decide(before, debit, states, tx.now);
    decided.push({ before, outcome, traceparent: change.traceparent });
    changes.push({ before: debit, after });
  }
  return { decided, changes };
}

/** Order ids are one sequence over all tenants, so one map holds the states of all. */
async function statesOfAll(tx: Tx, payments: readonly Payment[]): Promise<OrderStates> {
  const states = new Map<number, NonNullable<ReturnType<OrderStates['get']>>>();
  for (const tenant of new Set(payments.map((payment) => payment.tenant))) {
    const orders = payments.filter((payment) => payment.tenant === tenant).flatMap((one) => one.orders);
    for (const [id, state] of await orderStates(tx, { tenant, orders })) states.set(id, state);
  }
  return states;
}
