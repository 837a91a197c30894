import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Attempts are partitioned by the day of wall time, so that an old day is dropped and not deleted row by row. The existing attempts
 * become one partition. A default partition takes attempts without a day. Attempts have no foreign key to their delivery: it would be
 * checked for each, and a day may be dropped before its deliveries.
 */
export class AttemptDays1700000036000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const rows: unknown = await runner.query(
      'SELECT coalesce(max(id), 0) + 1 AS next FROM delivery_attempts',
    );
    const [first] = rows as { next: string }[];
    await runner.query(`
      ALTER TABLE delivery_attempts RENAME TO delivery_attempts_before;
      ALTER TABLE delivery_attempts_before
        DROP CONSTRAINT delivery_attempts_pkey,
        DROP CONSTRAINT delivery_attempts_delivery_fkey,
        ALTER COLUMN id DROP IDENTITY,
        ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now(),
        ADD PRIMARY KEY (delivery, id, stored_at);
      DROP INDEX delivery_attempts_delivery;
      CREATE TABLE delivery_attempts (
        LIKE delivery_attempts_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (delivery, id, stored_at)
      ) PARTITION BY RANGE (stored_at);
      ALTER TABLE delivery_attempts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH ${Number(first?.next ?? 1)});
      ALTER TABLE delivery_attempts ATTACH PARTITION delivery_attempts_before
        FOR VALUES FROM (MINVALUE) TO (date_trunc('day', now(), 'UTC') + interval '1 day');
      CREATE TABLE delivery_attempts_other PARTITION OF delivery_attempts DEFAULT`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('attempts cannot be merged into one table again: drop the database'));
  }
}
