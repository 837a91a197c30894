import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events are listed and replayed by the time at which they occurred. A time range, with or without a type or an object, is one contiguous
 * part of an index.
 */
export class EventTimes1700000037000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const { name, columns } of [
      { name: 'events_time', columns: 'tenant, occurred_at, id' },
      { name: 'events_type_time', columns: 'tenant, type, occurred_at, id' },
      { name: 'events_object_time', columns: 'tenant, object_id, occurred_at, id' },
    ])
      await createIndexConcurrently(runner, { name, on: `events (${columns})` });
    await dropIndexConcurrently(runner, 'events_tenant');
    await dropIndexConcurrently(runner, 'events_object');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX events_tenant ON events (tenant, id);
      CREATE INDEX events_object ON events (tenant, object_id, id);
      DROP INDEX events_object_time;
      DROP INDEX events_type_time;
      DROP INDEX events_time`);
  }
}
