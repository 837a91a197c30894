import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An installment's fixed head no longer contains the investor's contacts, because skipped installments do not carry them. */
export class PlanLists1700000040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE redemption_plans SET installment_head = left(((installment_head || '}')::jsonb - 'consent' - 'user_ip')::text, -1)
       WHERE installment_head IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE redemption_plans SET installment_head = left(((installment_head || '}')::jsonb
         || jsonb_build_object('consent', consent, 'user_ip', user_ip))::text, -1)
       WHERE installment_head IS NOT NULL`);
  }
}
