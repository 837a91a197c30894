import type { Client } from 'pg';
import { istTimestamp, type EventEnvelope } from '@fundrail/contracts';
import { OutboxCleanup } from './outbox-cleanup.ts';

/** An unpublished row. `id` is a bigint as text. */
export interface OutboxRow {
  readonly id: string;
  readonly event: EventEnvelope;
}

interface ScannedRow extends Omit<EventEnvelope, 'id' | 'occurred_at'> {
  readonly row_id: string;
  readonly event_id: string;
  readonly occurred_at: Date;
}

// Advisory locks are per database, and each service has its own: "fundrail" in ASCII, as a bigint.
const LEADER_LOCK = '7383354001346849132';

/**
 * The relay's marks do not wait for the disk. If a server crash loses a mark, its event is published again, and every consumer's
 * inbox absorbs it. Marks are lost from the end, so an event is never repeated without the later ones.
 */
const LEAD = `SELECT pg_try_advisory_lock($1::bigint) AS leads, set_config('synchronous_commit', 'off', false)`;

// All unpublished rows in id order, never "id > last seen": a transaction that started earlier may commit later (MSG-2).
const SCAN = `SELECT id::text AS row_id, event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data, traceparent
  FROM outbox WHERE published_at IS NULL AND NOT aggregate_id = ANY($1) ORDER BY id LIMIT $2`;

const MARK = 'UPDATE outbox SET published_at = clock_timestamp() WHERE id = ANY($1::bigint[])';

// The scan reads what was there before the marks of the same statement, so it leaves their rows out by itself.
const MARK_AND_SCAN = `WITH marked AS (UPDATE outbox SET published_at = clock_timestamp() WHERE id = ANY($3::bigint[]))
  ${SCAN.replace('ORDER BY', 'AND NOT id = ANY($3::bigint[]) ORDER BY')}`;

/**
 * The relay's own connection. Its session holds the leader's lock, so the relay that can use it is the leader, and a leader
 * without its connection can neither scan nor mark.
 */
export class RelayConnection {
  #lost: Error | null = null;
  readonly #forgetting: OutboxCleanup;

  /** @param onLost called once when the connection is lost. */
  constructor(
    private readonly client: Client,
    onLost: () => void,
  ) {
    this.#forgetting = new OutboxCleanup(client);
    client.on('error', (error) => this.#lose(error, onLost));
    client.on('end', () => this.#lose(new Error('the connection of the relay has ended'), onLost));
  }

  async tryToLead(): Promise<boolean> {
    this.#throwIfLost();
    const { rows } = await this.client.query<{ leads: boolean }>(LEAD, [LEADER_LOCK]);
    return rows[0]?.leads === true;
  }

  /** Unpublished rows in id order, without those of the given aggregates. */
  async scan(without: readonly string[], limit: number): Promise<OutboxRow[]> {
    this.#throwIfLost();
    const { rows } = await this.client.query<ScannedRow>({
      name: 'outbox.scan',
      text: SCAN,
      values: [without, limit],
    });
    return rows.map(toOutboxRow);
  }

  /** `mark` and the scan after it, in one round trip. */
  async markAndScan(ids: readonly string[], without: readonly string[], limit: number): Promise<OutboxRow[]> {
    this.#throwIfLost();
    const { rows } = await this.client.query<ScannedRow>({
      name: 'outbox.mark_and_scan',
      text: MARK_AND_SCAN,
      values: [without, limit, ids],
    });
    return rows.map(toOutboxRow);
  }

  async mark(ids: readonly string[]): Promise<void> {
    this.#throwIfLost();
    await this.client.query({ name: 'outbox.mark', text: MARK, values: [ids] });
  }

  /** Deletes a page of old published rows if it is due. True: there are more. */
  async deleteOldRows(): Promise<boolean> {
    this.#throwIfLost();
    return this.#forgetting.turn(Date.now());
  }

  /** Gives up the lock with the connection. */
  async end(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  #lose(error: Error, onLost: () => void): void {
    if (this.#lost) return;
    this.#lost = error;
    onLost();
  }

  #throwIfLost(): void {
    if (this.#lost) throw this.#lost;
  }
}

function toOutboxRow({ row_id, event_id, occurred_at, ...columns }: ScannedRow): OutboxRow {
  return { id: row_id, event: { ...columns, id: event_id, occurred_at: istTimestamp(occurred_at) } };
}
