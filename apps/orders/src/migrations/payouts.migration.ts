import { SqlMigration } from '@fundrail/service-kit/db';

/** The payout of redemptions (ORD-37). Those that the release before has processed have no due date. */
export class Payouts1900000000123 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE mf_orders ADD COLUMN payout_due_date date, ADD COLUMN paid_out_at timestamptz, ADD COLUMN payout_reference text';
  protected readonly back =
    'ALTER TABLE mf_orders DROP COLUMN payout_due_date, DROP COLUMN paid_out_at, DROP COLUMN payout_reference';
}
