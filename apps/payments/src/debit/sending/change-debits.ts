import { GroupedCalls } from '@fundrail/messaging';
import type { RowChange, Tx } from '@fundrail/persistence';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { endDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { ChangePayment, type PaymentKey } from '../../payment/change-payment.ts';
import { orderStates } from '../../payment/order-state.repository.ts';
import type { OrderStates } from '../../payment/orders-of-payment.ts';
import type { Payment } from '../../payment/payment.ts';
import type { DecidedPayment } from '../../payment/record-changes.ts';
import type { PaymentWithDebit } from '../change-debit.ts';
import { findDebits, saveDebits } from '../debit.repository.ts';
import type { DebitOutcome } from '../debit.ts';
import type { Debit } from '../debit.tables.ts';

/** The maximum of debits in one transaction. A larger one is not faster, and an error in it undoes more. */
const MOST_TOGETHER = 64;
/** Concurrent transactions: while one commits, the next one is decided. */
const AT_ONCE = 2;

/** A pure decision over a debit, not for captures: `ChangeDebit` checks those one by one. */
export interface DebitChange {
  readonly key: PaymentKey;
  readonly decide: (payment: Payment, debit: Debit, states: OrderStates, now: Date) => DebitOutcome;
  /** The due work that ends in the same transaction; all of one lease. */
  readonly ends?: LeasedDue;
  /** W3C trace context of the work for this debit. */
  readonly traceparent: string | null;
}

/** The result of one change. After a lost connection it is not known whether it was stored. */
interface Written {
  readonly changed: PaymentWithDebit | null;
  readonly error: Error | null;
}

/**
 * Concurrent changes of debits share a transaction and its statements (decision 0006). One failure does not affect the others: when the
 * database refuses the group, each change is tried alone.
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

  /** Returns payment and debit after the change, or null when there is no such debit. */
  async execute(change: DebitChange): Promise<PaymentWithDebit | null> {
    const { changed, error } = await this.groups.call(change);
    if (error) throw error;
    return changed;
  }

  /** Changes one group, in the given order. Null where there is no such debit or its change failed; `failed` is called for the latter. */
  async together(
    group: readonly DebitChange[],
    failed: (change: DebitChange, error: Error) => void,
  ): Promise<(PaymentWithDebit | null)[]> {
    const written = await this.write(group);
    return group.map((one, index) => {
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
    // Before new work is scheduled, so that work scheduled again under the same key stays.
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
  changesById: ReadonlyMap<number, DebitChange>,
  payments: readonly Payment[],
  debits: ReadonlyMap<number, Debit>,
): Promise<{ decided: DecidedPayment[]; changes: RowChange<Debit>[] }> {
  const states = await statesOfAll(tx, payments);
  const decided: DecidedPayment[] = [];
  const changes: RowChange<Debit>[] = [];
  for (const before of payments) {
    const [change, debit] = [changesById.get(before.id), debits.get(before.id)];
    if (!change || !debit) continue;
    const { outcome, debit: after } = change.decide(before, debit, states, tx.now);
    decided.push({ before, outcome, traceparent: change.traceparent });
    changes.push({ before: debit, after });
  }
  return { decided, changes };
}

/** Order ids are one sequence over all tenants, so one map can hold all states. */
async function statesOfAll(tx: Tx, payments: readonly Payment[]): Promise<OrderStates> {
  const states = new Map<number, NonNullable<ReturnType<OrderStates['get']>>>();
  for (const tenant of new Set(payments.map((payment) => payment.tenant))) {
    const orders = payments.filter((payment) => payment.tenant === tenant).flatMap((one) => one.orders);
    for (const [id, state] of await orderStates(tx, { tenant, orders })) states.set(id, state);
  }
  return states;
}
