import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - Lists of plans by their state, newest first, whatever else the tenant has (contract §5).
 * - The plans that the gateway has not been understood about, to be counted after a day (contract §2).
 * - An installment's fixed head without the investor's contacts, which those that are skipped do not carry.
 */
export class PlanLists1700000040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX redemption_plans_state_newest ON redemption_plans (tenant, state, old_id DESC);
      CREATE INDEX redemption_plans_unanswered ON redemption_plans (unanswered_since) WHERE unanswered_since IS NOT NULL;
      UPDATE redemption_plans SET installment_head = left(((installment_head || '}')::jsonb - 'consent' - 'user_ip')::text, -1)
       WHERE installment_head IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX redemption_plans_state_newest, redemption_plans_unanswered;
      UPDATE redemption_plans SET installment_head = left(((installment_head || '}')::jsonb
         || jsonb_build_object('consent', consent, 'user_ip', user_ip))::text, -1)
       WHERE installment_head IS NOT NULL`);
  }
}
