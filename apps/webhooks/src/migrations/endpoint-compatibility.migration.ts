import { SqlMigration } from '@fundrail/service-kit/db';

/** In whose names an endpoint receives events (COMP-4); null: in ours, as all endpoints so far. */
export class EndpointCompatibility1900000000012 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE notification_webhooks ADD COLUMN compatibility text';
  protected readonly back = 'ALTER TABLE notification_webhooks DROP COLUMN compatibility';
}
