import { OUTBOX_COLUMNS, OUTBOX_TYPES } from '@fundrail/messaging';
import pg from 'pg';
import { newEvent } from '../lib/events.ts';
import { atFixedRate } from '../lib/open-loop.ts';
import { wallNow } from '../lib/receiver.ts';

const INSERT = {
  name: 'emit',
  text: `INSERT INTO outbox (${OUTBOX_COLUMNS}) VALUES (${OUTBOX_TYPES.map((type, index) => `$${index + 1}::${type}`).join(', ')})`,
};

/** One committed event. Times are wall milliseconds. */
export interface Emitted {
  readonly id: string;
  readonly aggregate: number;
  readonly sequence: number;
  /** Its scheduled time. */
  readonly due: number;
  /** The time of its commit's answer. */
  readonly committed: number;
}

/**
 * Writes an emitting service's outbox as a second replica of it would: one event a transaction, `perSecond` of them by a
 * schedule, each aggregate once in two seconds. The relay gets no signal for them and has to find them.
 */
export class Emitter {
  readonly #pool: pg.Pool;
  #next = 1;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  }

  async emit(perSecond: number, seconds: number): Promise<Emitted[]> {
    const first = this.#next;
    this.#next += perSecond * seconds;
    const emitted: Emitted[] = [];
    const aggregates = perSecond * 2;
    const start = wallNow();
    await atFixedRate(perSecond, seconds, async (index) => {
      const aggregate = first + (index % aggregates);
      const sequence = Math.floor(index / aggregates) + 1;
      const event = newEvent(first + index, aggregate, sequence);
      await this.#insert(event);
      const due = start + (index * 1000) / perSecond;
      emitted.push({ id: event.id, aggregate, sequence, due, committed: wallNow() });
    });
    return emitted;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #insert(event: ReturnType<typeof newEvent>): Promise<void> {
    const { id, type, version, tenant, aggregate_id, sequence, data, traceparent } = event;
    const values = [id, type, version, tenant, aggregate_id, sequence, new Date(), data, traceparent];
    await this.#pool.query({ ...INSERT, values });
  }
}
