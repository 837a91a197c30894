import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every debit that release 0.1 stored here is handed over to mandates (decision 0050), the ended ones with the proof of their notice
 * (DEB-8). Release 0.1 leaves this kind of work, which it does not know, to the replicas of this release.
 */
export class HandedOverDebits1900000000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The migration of collections fills it from payments, before it drops that column there (decision 0051).
    await runner.query('ALTER TABLE debits ADD COLUMN mf_investment_account text');
    await runner.query(
      `INSERT INTO due_work (kind, key, tenant, due_at)
       SELECT 'debit.hand_over', payment_id::text, tenant, now() FROM debits ON CONFLICT (kind, key) DO NOTHING`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM due_work WHERE kind = 'debit.hand_over'`);
    await runner.query('ALTER TABLE debits DROP COLUMN mf_investment_account');
  }
}
