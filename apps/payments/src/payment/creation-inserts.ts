import { GroupedCalls } from '@fundrail/messaging';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { insertCreated } from './payment-creation.repository.ts';
import type { CreationRows } from './payment-creation.repository.ts';

/** Creations of one statement at most: beyond this a statement only grows, and a fault in it undoes more at once. */
const MOST_TOGETHER = 64;

/** What became of one creation: written, or refused by this error and nothing of it is written. */
interface Written {
  readonly error: Error | null;
}
const WRITTEN: Written = { error: null };

/**
 * Writes creations that arrive together in one commit. Each still stands or falls alone: when the database refuses the
 * group, each is tried by itself, so that only the one to blame is refused.
 */
@Injectable()
export class CreationInserts {
  private readonly inserts = new GroupedCalls(
    (group: readonly CreationRows[]) => this.write(group),
    MOST_TOGETHER,
  );

  constructor(private readonly database: Database) {}

  /** Rejects with the database's error; after a lost connection nobody knows whether the payment was written. */
  async insert(rows: CreationRows): Promise<void> {
    const { error } = await this.inserts.call(rows);
    if (error !== null) throw error;
  }

  private async write(group: readonly CreationRows[]): Promise<readonly Written[]> {
    try {
      const uriIsDue = await insertCreated(this.database, group);
      this.database.signal('outbox');
      if (uriIsDue.size > 0) this.database.signal('due');
      return group.map(() => WRITTEN);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (group.length === 1 || isLostDatabase(error)) return group.map(() => ({ error }));
      const alone = await Promise.all(group.map((rows) => this.write([rows])));
      return alone.flat();
    }
  }
}
