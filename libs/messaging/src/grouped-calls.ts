import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Groups items into calls. Those of one turn of the event loop go together, and so do those that gather while `atOnce` calls run, at
 * most `most` in a call. So nothing waits for a timer unless `gatherMs` is set. `send` returns one result per item, in order; when it
 * rejects, each of its items rejects.
 */
export class GroupedCalls<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private underWay = 0;

  /**
   * @param atOnce the most calls that run at the same time.
   * @param gatherMs wall milliseconds for which items gather before each call: fewer calls for rare items when latency does not matter.
   */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
    private readonly atOnce = 1,
    private readonly gatherMs = 0,
  ) {}

  call(item: Item): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => this.waiting.push({ item, resolve, reject }));
    if (this.underWay < this.atOnce) void this.drain();
    return result;
  }

  private async drain(): Promise<void> {
    this.underWay += 1;
    while (this.waiting.length > 0) {
      // Events of one fetch and requests that were read together arrive in one turn: the first must not go alone.
      await (this.gatherMs > 0 ? pause(this.gatherMs) : endOfTurn());
      const group = this.waiting.splice(0, this.most);
      if (group.length > 0) await this.sendGroup(group);
    }
    this.underWay -= 1;
  }

  private async sendGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.send(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('a grouped call left an item without a result'));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
