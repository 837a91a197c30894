import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each database stores whether a sandbox or a product outside it uses it (`claimDatabase`). The row exists since the first migration. */
export class DatabaseUse1700001040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE business_clock ADD COLUMN used_as text CHECK (used_as IN ('sandbox', 'production'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE business_clock DROP COLUMN used_as');
  }
}
