import type { ServiceName } from '@fundrail/contracts';
import type { Queryable, Statement, Table } from '@fundrail/persistence';
import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { ConfigProvider } from '../config/environment.ts';
import type { EncryptedColumn } from '../keys/encrypted-column.ts';
import type { PersonalTable } from '../personal-data/personal-table.ts';
import type { UseEvidence } from '../sandbox/database-use.ts';

/**
 * A TypeORM migration with SQL inside. Its class name ends in a 13-digit timestamp, which orders it. It runs in a separate transaction,
 * unless it declares `transaction = false` to create indexes concurrently. A baseline names the migrations of earlier releases that it
 * `replaces` (decision 0045).
 */
export type MigrationClass = (new () => MigrationInterface) & { readonly replaces?: readonly string[] };

/** The parts of a service. `main.ts` passes it to `bootstrap`, the `migrate` entry point to `migrate`. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly module: Type;
  /** The provider of its own configuration; null when it has no variables of its own. */
  readonly config: ConfigProvider | null;
  /** `serviceKitMigrations`, then its own; TypeORM orders them by time. */
  readonly migrations: readonly MigrationClass[];
  /** Its own tables that are declared. Their entities are read through TypeORM's manager. */
  readonly tables: readonly Pick<Table, 'name' | 'columns' | 'entity'>[];
  /** The columns of its own tables with values of `DataCipher`; none when left out. */
  readonly encrypted?: readonly EncryptedColumn[];
  /** Its own tables with rows about investors, parents after their children where rows are removed; left out by identity, which asks the others. */
  readonly personal?: readonly PersonalTable[];
  /** Finds in its own rows whether its database is a sandbox's, for a start with the other `SANDBOX` (`claimDatabase`). */
  readonly usedAs?: (db: Queryable) => Promise<UseEvidence | null>;
  /** Finds `id` and `sequence`, the last event's, of the objects with these ids (`$1`, text[]); left out when it has no objects. */
  readonly sequences?: Statement;
  /** How long the links that it issues under a keyed hash are valid: the variable and its default. Left out when it issues none. */
  readonly keyedLinks?: { readonly variable: string; readonly minutes: number };
}
