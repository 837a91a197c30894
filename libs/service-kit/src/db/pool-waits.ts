import type pg from 'pg';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Reports how many milliseconds each caller has waited that found no idle connection. Callers that find one are not measured.
 * `pool.query` connects through `connect`, so this covers every statement.
 */
export function watchPoolWaits(pool: pg.Pool, onWait: (ms: number) => void): void {
  const connect = pool.connect.bind(pool);
  const watched = (callback?: Connected): Promise<pg.PoolClient> | void => {
    // Callers that connect at the same moment are still in the queue; each of them will take an idle connection.
    const isFree = pool.idleCount > pool.waitingCount;
    const began = isFree ? 0 : performance.now();
    const report = () => {
      if (!isFree) onWait(performance.now() - began);
    };
    if (!callback) return connect().finally(report);
    connect((error, client, release) => {
      report();
      callback(error, client, release);
    });
  };
  pool.connect = watched as typeof pool.connect;
}

/**
 * Makes the pool open one connection at a time, up to its `max`. pg opens one for each caller that finds none idle, so the short statements of
 * one moment, as at each poll of due work, would open as many; and a connection costs more than ten of them.
 */
export function openOneByOne(pool: pg.Pool): void {
  const { max } = pool.options;
  const connect = pool.connect.bind(pool);
  const allowOneMore = () => {
    pool.options.max = Math.min(max, pool.totalCount + 1);
    // A pool opens nothing for callers that wait already. The first of them gets what this opens.
    if (pool.waitingCount > 0)
      void connect().then(
        (client) => client.release(),
        () => undefined,
      );
  };
  allowOneMore();
  pool.on('connect', allowOneMore).on('remove', allowOneMore);
}
