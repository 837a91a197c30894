import type { Queryable } from '@fundrail/persistence';
import { waitFor } from '@fundrail/testing';
import pg from 'pg';
import { queryableOf } from './queryable-of.ts';

/** Any number: advisory locks belong to a database, and each spec file has its own. */
const GATE = 1;

/**
 * A replica that stops in the middle of a statement: it has its snapshot, and has not locked or written anything yet. Without this, such
 * an overlap of two replicas is a matter of chance. The statement reads endpoints through a view that waits for the gate.
 */
export class HeldReplica {
  private constructor(
    private readonly client: pg.Client,
    private readonly gate: pg.Client,
  ) {}

  /** `url`: a migrated database. */
  static async start(url: string): Promise<HeldReplica> {
    const [client, gate] = [new pg.Client(url), new pg.Client(url)];
    await Promise.all([client.connect(), gate.connect()]);
    await gate.query(`
      CREATE SCHEMA IF NOT EXISTS held;
      CREATE OR REPLACE VIEW held.notification_webhooks AS
        SELECT w.* FROM public.notification_webhooks w CROSS JOIN (SELECT pg_advisory_xact_lock_shared(${GATE})) AS gate`);
    await client.query('SET search_path = held, public');
    return new HeldReplica(client, gate);
  }

  /** Starts a statement and resolves once it has stopped. The returned function lets it continue and resolves to its result. */
  async begin<T>(statement: (by: Queryable) => Promise<T>): Promise<() => Promise<T>> {
    await this.gate.query(`SELECT pg_advisory_lock(${GATE})`);
    const running = statement(queryableOf(this.client));
    await waitFor(() => this.hasStopped(), { what: 'a statement that has stopped' });
    return async () => {
      await this.gate.query(`SELECT pg_advisory_unlock(${GATE})`);
      return running;
    };
  }

  async end(): Promise<void> {
    await Promise.all([this.gate.end(), this.client.end()]);
  }

  private async hasStopped(): Promise<boolean> {
    const waiting = await this.gate.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return waiting.rowCount === 1;
  }
}
