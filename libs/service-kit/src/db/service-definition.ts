import type { ServiceName } from '@fundrail/contracts';
import type { GroupSizes } from '@fundrail/messaging';
import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { ConfigProvider } from '../config/environment.ts';
import type { EncryptedColumn } from '../keys/encrypted-column.ts';

/**
 * A TypeORM migration with SQL inside. Its class name ends in a 13-digit timestamp, which orders it. It runs in a transaction of its own,
 * unless it says `transaction = false` to make indexes concurrently.
 */
export type MigrationClass = new () => MigrationInterface;

/** What a service is made of. `main.ts` gives it to `bootstrap`, the `migrate` entry point to `migrate`. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly module: Type;
  /** What reads its own variables, as its module provides it; null when it has none. */
  readonly config: ConfigProvider | null;
  /** `serviceKitMigrations`, then its own; TypeORM orders them by time. */
  readonly migrations: readonly MigrationClass[];
  readonly entities: readonly Type[];
  /** Events that come at the same time share a transaction, because handling one only adds rows; each has its own when left out. */
  readonly eventGroups?: GroupSizes;
  /** Where its own tables hold values of `DataCipher`; none when left out. */
  readonly encrypted?: readonly EncryptedColumn[];
  /** How long what it gives out under a keyed hash is good: the variable and its default. Left out where it gives out nothing of the kind. */
  readonly keyedLinks?: { readonly variable: string; readonly minutes: number };
}
