import type { ServiceName } from '@fundrail/contracts';
import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';

/** A TypeORM migration with SQL inside. Its class name ends in a 13-digit timestamp, which orders it. */
export type MigrationClass = new () => MigrationInterface;

/** What a service is made of. `main.ts` gives it to `bootstrap`, the `migrate` entry point to `migrate`. */
export interface ServiceDefinition {
  readonly name: ServiceName;
  readonly module: Type;
  /** In order; the first is `serviceKitMigration`. */
  readonly migrations: readonly MigrationClass[];
  readonly entities: readonly Type[];
}
