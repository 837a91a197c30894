import { SqlMigration } from '@fundrail/service-kit/db';

const CODES = `'attempts_exhausted', 'endpoint_gone', 'endpoint_disabled', 'endpoint_deleted', 'replay_cancelled'`;

/**
 * An endpoint may have to answer a challenge before it receives events (decision 0039). Existing endpoints need not. The text of a
 * challenge is not stored: `challenge` is the id of the one in progress, which is valid until the wall time `challenge_until`.
 * `challenge_due_at` is business time. `endpoint_challenges` has the challenges of the last minute, because their number is limited for
 * each tenant.
 */
export class EndpointVerification1900000000010 extends SqlMigration {
  protected readonly forward = `
    ALTER TABLE notification_webhooks
      ADD COLUMN verification text NOT NULL DEFAULT 'not_required',
      ADD COLUMN verification_error text,
      ADD COLUMN challenge text,
      ADD COLUMN challenge_until timestamptz,
      ADD COLUMN challenge_due_at timestamptz,
      ADD COLUMN challenge_tries integer NOT NULL DEFAULT 0,
      ADD CONSTRAINT notification_webhooks_verification_check
        CHECK (verification IN ('not_required', 'pending_verification', 'verified', 'verification_failed')) NOT VALID;
    ALTER TABLE webhook_deliveries
      DROP CONSTRAINT webhook_deliveries_failure_code_check,
      ADD CONSTRAINT webhook_deliveries_failure_code_check
        CHECK (failure_code IN (${CODES}, 'endpoint_unverified')) NOT VALID;
    CREATE TABLE endpoint_challenges (
      id text PRIMARY KEY,
      tenant text NOT NULL,
      webhook text NOT NULL,
      host text NOT NULL,
      -- Wall time.
      at timestamptz NOT NULL
    );
    CREATE INDEX endpoint_challenges_tenant ON endpoint_challenges (tenant, at)`;
  protected readonly back = `
    DROP TABLE endpoint_challenges;
    ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_failure_code_check;
    UPDATE webhook_deliveries SET failure_code = 'endpoint_disabled' WHERE failure_code = 'endpoint_unverified';
    ALTER TABLE webhook_deliveries
      ADD CONSTRAINT webhook_deliveries_failure_code_check CHECK (failure_code IN (${CODES}));
    ALTER TABLE notification_webhooks
      DROP COLUMN verification, DROP COLUMN verification_error, DROP COLUMN challenge,
      DROP COLUMN challenge_until, DROP COLUMN challenge_due_at, DROP COLUMN challenge_tries`;
}
