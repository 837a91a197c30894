import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - For lists of plans by state, newest first, at the same speed for any number of other plans (PLAN-11).
 * - For counting the plans that have had no understood answer of the gateway for a day (GATE-5).
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
