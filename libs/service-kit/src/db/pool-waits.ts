import type pg from 'pg';

type Connected = Parameters<pg.Pool['connect']>[0];

/**
 * Tells for how many milliseconds a caller has waited that found no idle connection: for another caller's, or for a new one. Who
 * finds one costs nothing here. `pool.query` connects through `connect`, so every statement is looked at.
 */
export function watchPoolWaits(pool: pg.Pool, onWait: (ms: number) => void): void {
  const connect = pool.connect.bind(pool);
  const watched = (callback?: Connected): Promise<pg.PoolClient> | void => {
    // Callers of the same moment are still in the queue, each on its way to an idle connection.
    const isFree = pool.idleCount > pool.waitingCount;
    const began = isFree ? 0 : performance.now();
    const tell = () => {
      if (!isFree) onWait(performance.now() - began);
    };
    if (!callback) return connect().finally(tell);
    connect((error, client, release) => {
      tell();
      callback(error, client, release);
    });
  };
  pool.connect = watched as typeof pool.connect;
}
