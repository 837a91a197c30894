import { SqlMigration } from '@fundrail/service-kit/db';

/** Whether the payer has refused the debit of a notice. */
export class RefusedNotices1900000000097 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE debit_notices ADD COLUMN opted_out boolean NOT NULL DEFAULT false';
  protected readonly back = 'ALTER TABLE debit_notices DROP COLUMN opted_out';
}
