import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The remaining rate tokens of each endpoint, shared by all replicas. Unlogged, because it is written with every lease; after a crash,
 * every endpoint starts with one second's worth.
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
