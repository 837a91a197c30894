import type { Transactions, Tx } from './database.port.ts';
import { GroupedCalls } from './grouped-calls.ts';
import { isLostDatabase } from './lost-database.ts';

export interface GroupSizes {
  /** Works in one transaction, at most. */
  readonly most: number;
  /** Groups under way at the same time; each takes a database connection. */
  readonly atOnce: number;
}

type Work = (tx: Tx) => Promise<void>;
/** Why a work was not committed; null when it was. */
type Failure = { readonly error: unknown } | null;

/**
 * Runs works that wait at the same time one after the other in one transaction, so that they share its round trips and its wait
 * for the disk (decision 0006). For works of which none waits for a lock that another group may hold. When one fails, nothing of
 * its group has happened, and each is run again by itself: so each has its own error, and none suffers for another. A lost
 * database is the error of all: to ask it once for each of them would take minutes.
 */
export class TransactionGroups {
  readonly #groups: GroupedCalls<Work, Failure>;

  constructor(
    private readonly transactions: Pick<Transactions, 'transaction'>,
    { most, atOnce }: GroupSizes,
  ) {
    this.#groups = new GroupedCalls((works) => this.#runGroup(works), most, atOnce);
  }

  /** Resolves when the work is committed. Rejects as a transaction of its own would. */
  async run(work: Work): Promise<void> {
    const failure = await this.#groups.call(work);
    if (failure) throw failure.error;
  }

  async #runGroup(works: readonly Work[]): Promise<readonly Failure[]> {
    const failure = await this.#try(async (tx) => {
      for (const work of works) await work(tx);
    });
    if (!failure || works.length === 1 || isLostDatabase(failure.error)) return works.map(() => failure);
    const failures: Failure[] = [];
    for (const work of works) failures.push(await this.#try(work));
    return failures;
  }

  async #try(work: Work): Promise<Failure> {
    try {
      await this.transactions.transaction(work);
      return null;
    } catch (error) {
      return { error };
    }
  }
}
