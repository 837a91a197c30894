import type { MigrationInterface, QueryRunner } from 'typeorm';

/** After a rotation the old secret signs as well, for 24 h of business time. */
export class OldSecrets1700000031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "ALTER TABLE notification_webhooks ADD COLUMN old_secrets jsonb NOT NULL DEFAULT '[]'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_webhooks DROP COLUMN old_secrets');
  }
}
