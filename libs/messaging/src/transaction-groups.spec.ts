import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Tx } from '@fundrail/persistence';
import { TransactionGroups } from './transaction-groups.ts';

type Work = () => Promise<void>;

/** Groups whose items are works, one done after the other. */
const groupsOf = (transactions: Play['transactions'], sizes: { most: number; atOnce: number }) =>
  new TransactionGroups<Work>(transactions, sizes, async (_, works) => {
    for (const work of works) await work();
  });

/** Transactions that end when the test says so; their work counts only then. */
class Play {
  /** The committed work, a list for each transaction. */
  readonly committed: string[][] = [];
  readonly #opened: PromiseWithResolvers<void>[] = [];
  #current: string[] = [];
  held = false;

  readonly transactions = {
    transaction: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const done: string[] = [];
      if (this.held) {
        const gate = Promise.withResolvers<void>();
        this.#opened.push(gate);
        await gate.promise;
      }
      this.#current = done;
      const result = await work({} as Tx);
      this.committed.push(done);
      return result;
    },
  };

  release(): void {
    for (const gate of this.#opened.splice(0)) gate.resolve();
  }

  /** Work that records its name, or fails afterwards. */
  readonly work = (name: string, fails = false) => {
    return (): Promise<void> => {
      this.#current.push(name);
      return fails ? Promise.reject(new Error(name)) : Promise.resolve();
    };
  };
}

describe('transactions in groups', () => {
  it('group items that arrive in one turn, or while the previous group runs', async () => {
    const play = new Play();
    play.held = true;
    const groups = groupsOf(play.transactions, { most: 3, atOnce: 1 });
    const ends = ['a', 'b'].map((name) => groups.run(play.work(name)));
    await endOfTurn();
    ends.push(...['c', 'd', 'e', 'f'].map((name) => groups.run(play.work(name))));
    play.held = false;
    play.release();
    await Promise.all(ends);
    expect(play.committed).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
  });

  it('run as many at once as allowed', async () => {
    const play = new Play();
    play.held = true;
    const groups = groupsOf(play.transactions, { most: 3, atOnce: 2 });
    const ends = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      ends.push(groups.run(play.work(name)));
      await endOfTurn();
    }
    play.held = false;
    play.release();
    await Promise.all(ends);
    expect(play.committed).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('roll back a group in which one item fails: each then runs separately, and only that one gets the error', async () => {
    const play = new Play();
    play.held = true;
    const groups = groupsOf(play.transactions, { most: 10, atOnce: 1 });
    const ends = [groups.run(play.work('a'))];
    await endOfTurn();
    ends.push(groups.run(play.work('b')), groups.run(play.work('sick', true)), groups.run(play.work('c')));
    play.held = false;
    play.release();
    const outcomes = await Promise.allSettled(ends);
    expect(play.committed).toEqual([['a'], ['b'], ['c']]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: new Error('sick') });
  });

  it('try a lost database once, and fail all items', async () => {
    let asked = 0;
    const transaction = () => {
      asked += 1;
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    };
    const groups = groupsOf({ transaction }, { most: 10, atOnce: 1 });
    const ends = ['a', 'b', 'c'].map(() => groups.run(() => Promise.resolve()));
    const outcomes = await Promise.allSettled(ends);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toBe(1);
  });

  it('run a single item once, even when it fails', async () => {
    const play = new Play();
    let runs = 0;
    const groups = groupsOf(play.transactions, { most: 10, atOnce: 1 });
    const failing = () => {
      runs += 1;
      return Promise.reject(new Error('alone'));
    };
    await expect(groups.run(failing)).rejects.toThrow('alone');
    expect(runs).toBe(1);
  });
});
