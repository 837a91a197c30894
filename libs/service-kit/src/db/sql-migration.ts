import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration that is one text of SQL, and another that reverts it. */
export abstract class SqlMigration implements MigrationInterface {
  protected abstract readonly forward: string;
  protected abstract readonly back: string;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.forward);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(this.back);
  }
}
