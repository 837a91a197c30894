import { SqlMigration } from '@fundrail/service-kit/db';

/** How new a plan's copy of its mandate's limit is (SIP-7). Replicas of the release before leave it as it is. */
export class MandateCopies1900000000114 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE plan_courses ADD COLUMN mandate_seq integer';
  protected readonly back = 'ALTER TABLE plan_courses DROP COLUMN mandate_seq';
}
