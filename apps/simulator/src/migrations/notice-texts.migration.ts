import { SqlMigration } from '@fundrail/service-kit/db';

/** What the payer reads in a notice besides amount and time. Null in notices of the release before. */
export class NoticeTexts1900000000095 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE debit_notices ADD COLUMN merchant text, ADD COLUMN mandate_ref text, ADD COLUMN reason text';
  protected readonly back =
    'ALTER TABLE debit_notices DROP COLUMN merchant, DROP COLUMN mandate_ref, DROP COLUMN reason';
}
