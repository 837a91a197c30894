import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { openOneByOne } from './pool-waits.ts';

describe('a pool that opens one connection at a time', () => {
  /** What completes each connection that is being opened. */
  let opening: (() => void)[];
  let pool: pg.Pool;

  beforeEach(async () => {
    opening = [];
    class Client extends EventEmitter {
      readonly _queryable = true;
      connect(done: () => void): void {
        opening.push(done);
      }
      end(done?: () => void): void {
        done?.();
      }
    }
    pool = new pg.Pool({ max: 3, Client: Client as never });
    const first = pool.connect();
    await open();
    (await first).release();
    openOneByOne(pool);
  });
  afterEach(() => void pool.end());

  const open = async () => {
    opening.shift()?.();
    await turn();
  };
  /** Callers of the same moment, and the connections that they have got. */
  const call = async (callers: number) => {
    const got: pg.PoolClient[] = [];
    for (let caller = 0; caller < callers; caller++) void pool.connect().then((client) => got.push(client));
    await turn();
    return got;
  };

  it('serves short statements with the connections that there are', async () => {
    const got = await call(6);
    for (let served = 1; served <= 5; served++) {
      expect(got).toHaveLength(served);
      got.at(-1)?.release();
      await turn();
    }
    expect(opening).toHaveLength(1);
    await open();
    expect(got).toHaveLength(6);
    expect(opening).toHaveLength(0);
    got.at(-1)?.release();
  });

  it('opens another one while callers wait, up to its size', async () => {
    const got = await call(4);
    expect([got.length, opening.length]).toEqual([1, 1]);
    await open();
    expect([got.length, opening.length]).toEqual([2, 1]);
    await open();
    expect([got.length, opening.length]).toEqual([3, 0]);
    got[0]?.release();
    await turn();
    expect(got).toHaveLength(4);
    for (const client of got.slice(1)) client.release();
  });

  it('opens another one after one is lost', async () => {
    const [only] = await call(1);
    only?.release(true);
    const got = await call(1);
    expect([got.length, opening.length]).toEqual([0, 1]);
    await open();
    expect(got).toHaveLength(1);
    got[0]?.release();
  });
});
