import type { Transactions, Tx } from '@fundrail/persistence';
import { GroupedCalls } from './grouped-calls.ts';
import { isLostDatabase } from './lost-database.ts';

/** Why an item was not committed; null when it was. */
type Failure = { readonly error: unknown } | null;

/**
 * Processes items that wait at the same time in one transaction, so that they share its round trips and its wait for the disk
 * (decision 0006). No item may wait for a lock that another group may hold. When one fails, its group is rolled back, and each
 * item is processed separately, so each gets its own error. A lost database fails all items: trying it once per item would take
 * minutes.
 */
export class TransactionGroups<Item> {
  readonly #groups: GroupedCalls<Item, Failure>;

  /**
   * @param most the most items in one transaction.
   * @param atOnce groups that run at the same time; each takes a database connection.
   * @param work processes one or several items in a transaction.
   */
  constructor(
    private readonly transactions: Pick<Transactions, 'transaction'>,
    { most, atOnce }: { readonly most: number; readonly atOnce: number },
    private readonly work: (tx: Tx, items: readonly Item[]) => Promise<void>,
  ) {
    this.#groups = new GroupedCalls((items) => this.#runGroup(items), most, atOnce);
  }

  /** Resolves when the item's work is committed. Rejects as a separate transaction would. */
  async run(item: Item): Promise<void> {
    const failure = await this.#groups.call(item);
    if (failure) throw failure.error;
  }

  async #runGroup(items: readonly Item[]): Promise<readonly Failure[]> {
    const failure = await this.#try(items);
    if (!failure || items.length === 1 || isLostDatabase(failure.error)) return items.map(() => failure);
    const failures: Failure[] = [];
    for (const item of items) failures.push(await this.#try([item]));
    return failures;
  }

  async #try(items: readonly Item[]): Promise<Failure> {
    try {
      await this.transactions.transaction((tx) => this.work(tx, items));
      return null;
    } catch (error) {
      return { error };
    }
  }
}
