import { GroupedCalls } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { Log } from '@fundrail/service-kit';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { endDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { DEBIT } from './debit.aggregate.ts';
import { lockDebits, type DebitKey } from './debit.repository.ts';
import type { DebitOfMandate, Outcome } from './debit.ts';
import type { Debit } from './debit.table.ts';

/** The maximum of debits in one transaction. A larger one is not faster, and an error in it undoes more. */
const MOST_TOGETHER = 64;
/** Concurrent transactions: while one commits, the next one is decided. */
const AT_ONCE = 2;

/** A pure decision over a debit and its mandate, both locked. `now` is the transaction's. */
type Decide = (both: DebitOfMandate, now: Date) => Outcome;

export interface DebitChange {
  readonly key: DebitKey;
  readonly decide: Decide;
  /** The due work that ends in the same transaction; all of one lease. */
  readonly ends?: LeasedDue;
  /** W3C trace context of the work for this debit; default: the caller's. */
  readonly traceparent?: string | null;
}

/** The result of one change. After a lost connection it is not known whether it was stored. */
interface Written {
  readonly changed: DebitOfMandate | null;
  readonly error: Error | null;
}

/**
 * Changes debits, each under the row locks of its mandate and itself. Concurrent changes share a transaction and its statements
 * (decision 0006). One failure does not affect the others: when the database refuses the group, each change is tried alone.
 */
@Injectable()
export class ChangeDebits {
  private readonly groups = new GroupedCalls(
    (group: readonly DebitChange[]) => this.write(group),
    MOST_TOGETHER,
    AT_ONCE,
  );

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** In a transaction of its own, which it shares with concurrent changes. Returns both rows after it, or null without such a debit. */
  async execute(change: DebitChange): Promise<DebitOfMandate | null> {
    const { changed, error } = await this.groups.call(change);
    if (error) throw error;
    return changed;
  }

  /** In the transaction of a consumer or a request. */
  async within(tx: Tx, change: DebitChange): Promise<DebitOfMandate | null> {
    const changed = await this.changeAll(tx, [change]);
    return changed.get(change.key.payment_id) ?? null;
  }

  /** Changes one group, in the given order. Null where there is no such debit or its change failed; `failed` is called for the latter. */
  async together(
    group: readonly DebitChange[],
    failed: (change: DebitChange, error: Error) => void,
  ): Promise<(DebitOfMandate | null)[]> {
    const written = await this.write(group);
    return group.map((one, index) => {
      const { changed = null, error = null } = written[index] ?? {};
      if (error) failed(one, error);
      return changed;
    });
  }

  private async write(group: readonly DebitChange[]): Promise<Written[]> {
    const ids = new Set(group.map(({ key }) => key.payment_id));
    if (ids.size < group.length) return this.oneByOne(group);
    try {
      const changed = await this.database.transaction(async (tx) => {
        const ends = group.flatMap(({ ends }) => ends ?? []);
        // Sent first, before new work is scheduled, so that work scheduled again under the same key stays.
        const [, locked] = await Promise.all([endDue(tx, ends), this.changeAll(tx, group)]);
        return locked;
      });
      return group.map(({ key }) => ({ changed: changed.get(key.payment_id) ?? null, error: null }));
    } catch (error) {
      if (group.length > 1 && !isLostDatabase(error)) return this.oneByOne(group);
      const failure = error instanceof Error ? error : new Error(String(error));
      return group.map(() => ({ changed: null, error: failure }));
    }
  }

  /** A debit that occurs twice is decided twice, each time about what the change before left. */
  private async oneByOne(group: readonly DebitChange[]): Promise<Written[]> {
    const written: Written[] = [];
    for (const one of group) written.push(...(await this.write([one])));
    return written;
  }

  private async changeAll(
    tx: Tx,
    group: readonly DebitChange[],
  ): Promise<ReadonlyMap<number, DebitOfMandate>> {
    const locked = await lockDebits(
      tx,
      group.map(({ key }) => key),
    );
    const decided = group.flatMap(({ key, decide, traceparent = null }) => {
      const both = locked.get(key.payment_id);
      return both ? [{ both, outcome: decide(both, tx.now), traceparent }] : [];
    });
    await DEBIT.recordAll(
      tx,
      decided.map(({ both, outcome: { debit: after, steps, due }, traceparent }) => ({
        before: both.debit,
        after,
        steps,
        due,
        traceparent,
      })),
    );
    for (const { both, outcome } of decided) this.logContradiction(both.debit, outcome);
    return new Map(
      decided.map(({ both, outcome }) => [both.debit.payment_id, { ...both, debit: outcome.debit }]),
    );
  }

  private logContradiction({ tenant, payment_id }: Debit, { contradiction }: Outcome): void {
    if (contradiction !== undefined)
      this.log.warn('a provider contradicts a debit', { tenant, payment_id, contradiction });
  }
}
