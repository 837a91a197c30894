import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds redemptions to `mf_orders` (ORD-26), with their terms, their result, and how an installment is collected. An installment's
 * investor is looked up when it is needed. `installment_draws` stores the id under which a request with an Idempotency-Key asks its
 * plan, until the plan answers. The new columns are empty and the checks only become wider, so a replica that does not know them
 * keeps working.
 */
const up = `
ALTER TABLE mf_orders
  ADD COLUMN redeemed_units numeric(22,4),
  ADD COLUMN redeemed_amount numeric(22,4),
  ADD COLUMN redeemed_price numeric(22,4),
  ADD COLUMN collection_mandate bigint,
  ADD COLUMN collected_at timestamptz,
  ALTER COLUMN investor_profile DROP NOT NULL,
  DROP CONSTRAINT mf_orders_type_check,
  ADD CONSTRAINT mf_orders_type CHECK (CASE kind WHEN 'purchase' THEN type IN ('fresh', 'additional')
    ELSE type = CASE WHEN amount IS NOT NULL THEN 'amount' WHEN units IS NOT NULL THEN 'units' ELSE 'all' END END),
  ADD CONSTRAINT mf_orders_amount_or_units CHECK (amount IS NULL OR units IS NULL),
  ADD CONSTRAINT mf_orders_purchase_has_investor CHECK (kind <> 'purchase' OR investor_profile IS NOT NULL),
  ADD CONSTRAINT mf_orders_installment_is_numbered CHECK
    (kind <> 'redemption' OR (plan IS NULL) = (installment_number IS NULL)),
  ADD CONSTRAINT mf_orders_collected_by_a_plan CHECK (collection_mandate IS NULL OR plan IS NOT NULL),
  ADD CONSTRAINT mf_orders_submitted_when_collected CHECK (collection_mandate IS NULL OR collected_at IS NOT NULL
    OR state NOT IN ('submitted', 'successful', 'reversed'));

CREATE TABLE installment_draws (
  tenant text NOT NULL,
  key text NOT NULL,
  plan text NOT NULL,
  redemption text NOT NULL,
  drawn_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, key)
);
`;

const down = `
DROP TABLE installment_draws;
DELETE FROM due_work WHERE key IN (SELECT id FROM mf_orders WHERE kind = 'redemption');
DELETE FROM mf_order_history WHERE old_id IN (SELECT old_id FROM mf_orders WHERE kind = 'redemption');
DELETE FROM mf_orders WHERE kind = 'redemption';
ALTER TABLE mf_orders
  DROP CONSTRAINT mf_orders_type,
  ADD CONSTRAINT mf_orders_type_check CHECK (type IN ('fresh', 'additional')),
  DROP CONSTRAINT mf_orders_amount_or_units,
  DROP CONSTRAINT mf_orders_purchase_has_investor,
  DROP CONSTRAINT mf_orders_installment_is_numbered,
  DROP CONSTRAINT mf_orders_collected_by_a_plan,
  DROP CONSTRAINT mf_orders_submitted_when_collected,
  ALTER COLUMN investor_profile SET NOT NULL,
  DROP COLUMN redeemed_units,
  DROP COLUMN redeemed_amount,
  DROP COLUMN redeemed_price,
  DROP COLUMN collection_mandate,
  DROP COLUMN collected_at;
`;

export class MfRedemptions1700000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
