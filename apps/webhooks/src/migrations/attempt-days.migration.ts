import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Attempts are kept by the day of wall time, so that a day that is over is dropped and not deleted row by row. Those that are
 * there are one partition; one that has no day yet is kept beside the days. No attempt refers to its delivery: each reference
 * would be asked for with each, and a day may go before its deliveries.
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
    return Promise.reject(new Error('attempts are not joined again: drop the database'));
  }
}
