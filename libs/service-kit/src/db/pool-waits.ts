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
