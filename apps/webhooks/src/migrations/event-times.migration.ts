import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events are listed and replayed by the time at which they occurred: a time that is asked for, of a type or an object or neither, is
 * one piece of an index.
 */
export class EventTimes1700000037000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX events_time ON events (tenant, occurred_at, id);
      CREATE INDEX events_type_time ON events (tenant, type, occurred_at, id);
      CREATE INDEX events_object_time ON events (tenant, object_id, occurred_at, id);
      DROP INDEX events_tenant;
      DROP INDEX events_object`);
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
