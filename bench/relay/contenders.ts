import { OutboxRelay, type EventBus } from '@fundrail/messaging';
import type { PgTransactions, RawKafka } from '@fundrail/messaging/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { newEvent } from '../lib/events.ts';
import { EVENTS_EACH } from './stock.ts';

/** As many events a request as the bus sends at most. */
const CEILING_BATCH = 700;

/** fundrail: the relay as every service runs it, until the outbox is empty. Answers the seconds that it took. */
export async function drainByRelay(db: PgTransactions, bus: EventBus, count: number): Promise<number> {
  const relay = new OutboxRelay(db, db.connect, bus);
  const start = performance.now();
  relay.start();
  while (relay.counts().published < count) await pause(5);
  const seconds = (performance.now() - start) / 1000;
  await relay.stop();
  return seconds;
}

/** The ceiling: the same bytes to the same topic by kafkajs alone, without a database, in requests as large as ours. */
export async function sendWithoutOutbox(kafka: RawKafka, first: number, count: number): Promise<number> {
  const start = performance.now();
  for (let sent = 0; sent < count; sent += CEILING_BATCH) {
    const size = Math.min(CEILING_BATCH, count - sent);
    await kafka.send(
      Array.from({ length: size }, (_, index) => {
        const number = first + sent + index;
        return newEvent(number, Math.floor(number / EVENTS_EACH), (number % EVENTS_EACH) + 1);
      }),
    );
  }
  return (performance.now() - start) / 1000;
}

interface NaiveRow {
  readonly id: string;
  readonly event_id: string;
  readonly aggregate_id: string;
  readonly sequence: number;
}

/** The naive relay, as tutorials show it: one row, one send, one update, one commit. */
export async function drainOneByOne(db: PgTransactions, kafka: RawKafka, count: number): Promise<number> {
  const client = await db.connect();
  const start = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    await client.query('BEGIN');
    const { rows } = await client.query<NaiveRow>(
      'SELECT * FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE',
    );
    const [row] = rows;
    if (!row) throw new Error('the outbox is empty');
    await kafka.send([{ ...newEvent(0, Number(row.aggregate_id), row.sequence), id: row.event_id }]);
    await client.query('UPDATE outbox SET published_at = now() WHERE id = $1', [row.id]);
    await client.query('COMMIT');
  }
  const seconds = (performance.now() - start) / 1000;
  await client.end();
  return seconds;
}
