import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A new provider needs no migration: the schemas of libs/contracts check each name before it is written (decision 0049). */
export class OpenProviderNames1900000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments DROP CONSTRAINT IF EXISTS payments_provider_name_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE payments ADD CONSTRAINT payments_provider_name_check
      CHECK (provider_name IN ('GATEWAYPOA', 'SDKVENDOR')) NOT VALID`);
  }
}
