import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is left of each endpoint's rate, for all replicas. Unlogged: it is written with every lease, and after a crash every
 * endpoint may have a second's worth at once.
 */
export class EndpointPaces1700000033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE endpoint_paces (
        webhook text PRIMARY KEY,
        tokens double precision NOT NULL,
        at timestamptz NOT NULL
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE endpoint_paces');
  }
}
