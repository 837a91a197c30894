import { SqlMigration } from '@fundrail/service-kit/db';

/** The step-up that was published as held (SIP-21). Replicas of the release before leave it as it is, and may publish one again. */
export class HeldSteps1900000000113 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE plan_courses ADD COLUMN held_step integer';
  protected readonly back = 'ALTER TABLE plan_courses DROP COLUMN held_step';
}
