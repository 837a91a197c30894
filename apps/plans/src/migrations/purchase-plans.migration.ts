import { SqlMigration } from '@fundrail/service-kit/db';

/**
 * The second kind of plan (SIP-1 to SIP-24). Every new column has a default or may be null, so replicas of the release before go on with
 * redemption plans. They would generate a purchase as a redemption: no purchase plan is created until `PURCHASE_PLANS` is set.
 *
 * - plan_courses has what a change of a purchase plan may concern, because generation reads it under that row's lock.
 * - plan_installments: `redemption` is the order's id, of either kind. `payment_source` is the mandate that it was made with, and `outcome` how it ended, as far as the plan counts it.
 */
export class PurchasePlans1700001080000 extends SqlMigration {
  protected readonly forward = `
    ALTER TABLE redemption_plans
      ADD COLUMN kind text NOT NULL DEFAULT 'redemption',
      ADD COLUMN frequency text NOT NULL DEFAULT 'monthly',
      ADD COLUMN purchase_ref_id text,
      ADD COLUMN purpose text,
      ADD COLUMN initiated_by text,
      ADD COLUMN initiated_via text,
      ADD COLUMN consecutive_failed integer NOT NULL DEFAULT 0,
      ALTER COLUMN installment_day DROP NOT NULL,
      ADD CONSTRAINT redemption_plans_kind CHECK (kind IN ('redemption', 'purchase')) NOT VALID,
      ADD CONSTRAINT redemption_plans_day CHECK (installment_day IS NOT NULL OR frequency = 'daily') NOT VALID,
      ADD CONSTRAINT redemption_plans_failures CHECK (consecutive_failed >= 0) NOT VALID;
    ALTER TABLE plan_courses
      ADD COLUMN kind text NOT NULL DEFAULT 'redemption',
      ADD COLUMN frequency text NOT NULL DEFAULT 'monthly',
      ADD COLUMN amount numeric(22,4),
      ADD COLUMN payment_source bigint,
      ADD COLUMN mandate_limit numeric(22,4),
      ADD COLUMN folio_number text,
      ADD COLUMN step_up_type text,
      ADD COLUMN step_up_value numeric(22,4),
      ADD COLUMN step_up_frequency text,
      ADD COLUMN step_up_max numeric(22,4),
      ADD COLUMN steps_passed integer NOT NULL DEFAULT 0,
      ADD COLUMN last_amount numeric(22,4),
      ADD CONSTRAINT plan_courses_purchase CHECK
        (kind = 'redemption' OR (amount > 0 AND (payment_source IS NULL) = (mandate_limit IS NULL))) NOT VALID,
      ADD CONSTRAINT plan_courses_step_up CHECK
        ((step_up_type IS NULL) = (step_up_value IS NULL) AND (step_up_type IS NULL) = (step_up_frequency IS NULL)) NOT VALID;
    ALTER TABLE redemption_plan_history
      ADD COLUMN consent jsonb,
      ADD COLUMN terms jsonb;
    ALTER TABLE plan_installments
      ADD COLUMN amount numeric(22,4),
      ADD COLUMN payment_source bigint,
      ADD COLUMN payable_until timestamptz,
      ADD COLUMN outcome text,
      ADD CONSTRAINT plan_installments_outcome CHECK (outcome IN ('successful', 'unpaid', 'other')) NOT VALID`;

  protected readonly back = `
    DO $$ BEGIN
      IF EXISTS (SELECT FROM redemption_plans WHERE kind = 'purchase') THEN
        RAISE EXCEPTION 'there are purchase plans, which the release before would generate as redemptions';
      END IF;
    END $$;
    ALTER TABLE plan_installments DROP COLUMN amount, DROP COLUMN payment_source, DROP COLUMN payable_until, DROP COLUMN outcome;
    ALTER TABLE redemption_plan_history DROP COLUMN consent, DROP COLUMN terms;
    ALTER TABLE plan_courses
      DROP COLUMN kind, DROP COLUMN frequency, DROP COLUMN amount, DROP COLUMN payment_source, DROP COLUMN mandate_limit,
      DROP COLUMN folio_number, DROP COLUMN step_up_type, DROP COLUMN step_up_value, DROP COLUMN step_up_frequency,
      DROP COLUMN step_up_max, DROP COLUMN steps_passed, DROP COLUMN last_amount;
    ALTER TABLE redemption_plans
      DROP COLUMN kind, DROP COLUMN frequency, DROP COLUMN purchase_ref_id, DROP COLUMN purpose, DROP COLUMN initiated_by,
      DROP COLUMN initiated_via, DROP COLUMN consecutive_failed,
      ALTER COLUMN installment_day SET NOT NULL`;
}
