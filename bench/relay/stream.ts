import { appendEvents, OutboxRelay, type EventBus } from '@fundrail/messaging';
import { execute, PgTransactions } from '@fundrail/messaging/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { newEvent } from '../lib/events.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { quantiles, type Quantiles } from '../lib/quantiles.ts';
import { size } from '../lib/size.ts';

const PER_SECOND = size(500, 50, 'BENCH_STREAM_RATE');
const SECONDS = size(10, 1, 'BENCH_STREAM_SECONDS');

/** From the write of a row until the bus has taken it and the row is marked. */
export interface StreamFigures {
  readonly per_second: number;
  /** Committed by the relay's own process, which wakes it. */
  readonly kicked: Quantiles;
  /** Committed by another replica: found by the next scan. */
  readonly polled: Quantiles;
}

/** Commits at a fixed rate, one event each, while the relay runs: by its own process, then by another replica. */
export async function stream(db: PgTransactions, bus: EventBus, first: number): Promise<StreamFigures> {
  const relay = new OutboxRelay(db, db.connect, bus);
  relay.start();
  const replica = new PgTransactions(db.url);
  try {
    const kicked = await streamBy(db, db, first);
    const polled = await streamBy(replica, db, first + PER_SECOND * SECONDS);
    console.log(
      `stream of ${PER_SECOND} /s: kicked ${JSON.stringify(kicked)}, polled ${JSON.stringify(polled)}`,
    );
    return { per_second: PER_SECOND, kicked, polled };
  } finally {
    await relay.stop();
    await replica.end();
  }
}

async function streamBy(writer: PgTransactions, db: PgTransactions, first: number): Promise<Quantiles> {
  await execute(db, 'TRUNCATE outbox');
  await atFixedRate(PER_SECOND, SECONDS, (index) =>
    writer.transaction((tx) => {
      const { occurred_at, ...event } = newEvent(first + index, first + index, 1);
      const type = 'payment.updated';
      return appendEvents(tx, [{ ...event, type, occurred_at: new Date(occurred_at) }]);
    }),
  );
  return quantiles(await lags(db, PER_SECOND * SECONDS));
}

async function lags(db: PgTransactions, count: number): Promise<number[]> {
  for (;;) {
    const { rows } = await db.pool.query<{ ms: number }>(
      `SELECT extract(epoch FROM published_at - created_at)::float8 * 1000 AS ms FROM outbox WHERE published_at IS NOT NULL`,
    );
    if (rows.length >= count) return rows.map(({ ms }) => ms);
    await pause(50);
  }
}
