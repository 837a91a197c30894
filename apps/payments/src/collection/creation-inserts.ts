import { GroupedCalls } from '@fundrail/messaging';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { CreatedRows } from './created-rows.ts';
import { insertCreated } from './creation.repository.ts';

/** Most creations in one statement: more would not be faster, and an error in one would undo more of them. */
const MAX_PER_STATEMENT = 64;

/** The result of one creation: written, or refused with this error and not written at all. */
interface Written {
  readonly error: Error | null;
}
const WRITTEN: Written = { error: null };

/**
 * Writes creations that arrive together in one commit. When the database refuses the group, each creation is written alone, so that
 * only the faulty one is refused.
 */
@Injectable()
export class CreationInserts {
  private readonly inserts = new GroupedCalls(
    (group: readonly CreatedRows[]) => this.write(group),
    MAX_PER_STATEMENT,
  );

  constructor(private readonly database: Database) {}

  /** Rejects with the database's error. After a lost connection the payment may or may not be written. */
  async insert(rows: CreatedRows): Promise<void> {
    const { error } = await this.inserts.call(rows);
    if (error !== null) throw error;
  }

  private async write(group: readonly CreatedRows[]): Promise<readonly Written[]> {
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
