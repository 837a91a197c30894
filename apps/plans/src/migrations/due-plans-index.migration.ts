import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const WHERE = 'WHERE generate_at IS NOT NULL';
const BY_TENANT = { name: 'plan_courses_due_of_tenant', on: `plan_courses (generate_at, tenant) ${WHERE}` };
const BEFORE = { name: 'plan_courses_due', on: `plan_courses (generate_at) ${WHERE}` };

/** Due plans are found by their tenants too, so that each has a share of a batch (PLAN-16). The new index serves the release before as well. */
export class DuePlansIndex1900000000115 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, BY_TENANT);
    await dropIndexConcurrently(runner, BEFORE.name);
  }

  async down(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, BEFORE);
    await dropIndexConcurrently(runner, BY_TENANT.name);
  }
}
