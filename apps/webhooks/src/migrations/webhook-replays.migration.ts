import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replays, and which deliveries are theirs. Those have an index of their own, and the one by which new deliveries are leased
 * does without them: however many there are, a new event does not see them.
 */
export class WebhookReplays1700000032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_replays (
        id text PRIMARY KEY,
        tenant text NOT NULL,
        webhook text NOT NULL REFERENCES notification_webhooks (id),
        status text NOT NULL CHECK (status IN ('running', 'completed', 'cancelled')),
        from_at timestamptz NOT NULL,
        to_at timestamptz NOT NULL,
        events text[] NOT NULL,
        types text[] NOT NULL,
        matched integer NOT NULL,
        last_event text NOT NULL,
        all_made boolean NOT NULL,
        stored_before timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        completed_at timestamptz,
        CHECK ((status = 'running') = (completed_at IS NULL))
      );
      CREATE INDEX webhook_replays_webhook ON webhook_replays (tenant, webhook, id);
      CREATE INDEX webhook_replays_running ON webhook_replays (id) WHERE status = 'running';
      ALTER TABLE webhook_deliveries ADD COLUMN replay text REFERENCES webhook_replays (id);
      CREATE INDEX webhook_deliveries_replay ON webhook_deliveries (replay, status, due_at, id) WHERE replay IS NOT NULL;
      DROP INDEX webhook_deliveries_due_at;
      CREATE INDEX webhook_deliveries_due_at ON webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL AND replay IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_deliveries_due_at;
      CREATE INDEX webhook_deliveries_due_at ON webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL;
      DROP INDEX webhook_deliveries_replay;
      ALTER TABLE webhook_deliveries DROP COLUMN replay;
      DROP TABLE webhook_replays`);
  }
}
