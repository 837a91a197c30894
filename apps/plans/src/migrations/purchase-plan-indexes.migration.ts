import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = [
  {
    name: 'redemption_plans_purchase_ref',
    on: 'redemption_plans (tenant, purchase_ref_id) WHERE purchase_ref_id IS NOT NULL',
    unique: true,
  },
  // For lists of one kind, at the same speed for any number of plans of the other.
  { name: 'redemption_plans_kind_newest', on: 'redemption_plans (tenant, kind, old_id DESC)' },
  { name: 'redemption_plans_kind_state_newest', on: 'redemption_plans (tenant, kind, state, old_id DESC)' },
];

/** The indexes of two kinds of plans. Creations of redemption plans still conflict on `redemption_plans_source_ref` alone. */
export class PurchasePlanIndexes1700001080001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await createIndexConcurrently(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of INDEXES) await dropIndexConcurrently(runner, name);
  }
}
