import { SqlMigration } from '@fundrail/service-kit/db';

/** The first capture of a payment that was paid twice. Of an older one only the second capture is known. */
export class FirstCaptures1900000000060 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE provider_payments ADD COLUMN first_reference text';
  protected readonly back = 'ALTER TABLE provider_payments DROP COLUMN first_reference';
}
