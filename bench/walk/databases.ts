import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { withDatabase } from '../lib/postgres.ts';

const DELIVERED_LIMIT_MS = 30_000;

/** When each event since then was written, a little before its commit, by its id; all in wall milliseconds. */
export async function writtenSince(server: string, since: number): Promise<Map<string, number>> {
  const text = `SELECT event_id, extract(epoch FROM created_at)::float8 * 1000 AS at FROM outbox
    WHERE created_at >= to_timestamp(${since / 1000})`;
  const databases = ['fundrail_orders', 'fundrail_payments'].map((name) => withDatabase(server, name));
  const rows = await Promise.all(
    databases.map((database) => rowsOf<{ event_id: string; at: number }>(database, text)),
  );
  return new Map(rows.flat().map(({ event_id, at }) => [event_id, at]));
}

/** Deliveries that webhooks has not recorded as delivered when all have arrived. Waits for it a while. */
export async function countUndelivered(server: string): Promise<number> {
  const end = performance.now() + DELIVERED_LIMIT_MS;
  for (;;) {
    const [row] = await rowsOf<{ count: string }>(
      withDatabase(server, 'fundrail_webhooks'),
      "SELECT count(*) FROM webhook_deliveries WHERE status <> 'delivered'",
    );
    const left = Number(row?.count);
    if (left === 0 || performance.now() > end) return left;
    await pause(100);
  }
}

async function rowsOf<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
