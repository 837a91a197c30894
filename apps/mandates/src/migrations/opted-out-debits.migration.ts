import { SqlMigration } from '@fundrail/service-kit/db';

/** When an investor refused a debit (DEB-21). Replicas of the release before leave it null. */
export class OptedOutDebits1900000000111 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE mandate_debits ADD COLUMN opted_out_at timestamptz';
  protected readonly back = 'ALTER TABLE mandate_debits DROP COLUMN opted_out_at';
}
