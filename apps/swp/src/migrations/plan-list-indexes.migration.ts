import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - Lists of plans by their state, newest first, whatever else the tenant has (contract §5).
 * - The plans that the gateway has not been understood about, to be counted after a day (contract §2).
 */
export class PlanListIndexes1700000040001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'redemption_plans_state_newest',
      on: 'redemption_plans (tenant, state, old_id DESC)',
    });
    await createIndexConcurrently(runner, {
      name: 'redemption_plans_unanswered',
      on: 'redemption_plans (unanswered_since) WHERE unanswered_since IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX redemption_plans_state_newest, redemption_plans_unanswered`);
  }
}
