import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replays and their deliveries. The index for leasing deliveries is renamed and stays until the next migration has created its
 * replacement.
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
      ALTER INDEX webhook_deliveries_due_at RENAME TO webhook_deliveries_due_at_before`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER INDEX webhook_deliveries_due_at_before RENAME TO webhook_deliveries_due_at;
      ALTER TABLE webhook_deliveries DROP COLUMN replay;
      DROP TABLE webhook_replays`);
  }
}
