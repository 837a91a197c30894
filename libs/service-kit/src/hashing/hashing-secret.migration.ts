import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secret of `HashingSecret` in each service's database. One row. */
export class HashingSecrets1700001040002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE hashing_secrets (name text PRIMARY KEY, secret_encrypted text NOT NULL)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE hashing_secrets');
  }
}
