import type { Transactions, Tx } from './database.port.ts';
import { isLostDatabase } from './lost-database.ts';

export interface GroupSizes {
  /** Works in one transaction, at most. */
  readonly most: number;
  /** Groups under way at the same time; each takes a database connection. */
  readonly atOnce: number;
}

interface Member {
  readonly work: (tx: Tx) => Promise<void>;
  /** Null when it is committed. */
  readonly settle: (failure: { readonly error: unknown } | null) => void;
}

/**
 * Runs works that wait at the same time one after the other in one transaction, so that they share its round trips and its wait
 * for the disk (decision 0006). For works of which none waits for a lock that another group may hold. When one fails, nothing of
 * its group has happened, and each is run again by itself: so each has its own error, and none suffers for another. A lost
 * database is the error of all: to ask it once for each of them would take minutes.
 */
export class TransactionGroups {
  readonly #waiting: Member[] = [];
  #running = 0;

  constructor(
    private readonly transactions: Pick<Transactions, 'transaction'>,
    private readonly sizes: GroupSizes,
  ) {}

  /** Resolves when the work is committed. Rejects as a transaction of its own would. */
  async run(work: (tx: Tx) => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<{ readonly error: unknown } | null>();
    this.#waiting.push({ work, settle: resolve });
    this.#startSome();
    const failure = await promise;
    if (failure) throw failure.error;
  }

  #startSome(): void {
    while (this.#running < this.sizes.atOnce && this.#waiting.length > 0) {
      this.#running += 1;
      void this.#runGroup(this.#waiting.splice(0, this.sizes.most)).finally(() => {
        this.#running -= 1;
        this.#startSome();
      });
    }
  }

  async #runGroup(group: readonly Member[]): Promise<void> {
    const failure = await this.#try(async (tx) => {
      for (const { work } of group) await work(tx);
    });
    if (!failure || group.length === 1 || isLostDatabase(failure.error)) {
      for (const { settle } of group) settle(failure);
      return;
    }
    for (const { work, settle } of group) settle(await this.#try(work));
  }

  async #try(work: (tx: Tx) => Promise<void>): Promise<{ readonly error: unknown } | null> {
    try {
      await this.transactions.transaction(work);
      return null;
    } catch (error) {
      return { error };
    }
  }
}
