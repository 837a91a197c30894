import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery that waits for an earlier one of its object has no due time, so a lease does not read it. Before this, each lease read the
 * whole backlog of an endpoint that is down. `followers` counts the events that are held behind a delivery. By `leases`, a lease detects
 * that another one ran since it counted the running deliveries. Each endpoint has its row from the start.
 */
export class HeldDeliveries1700000035000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_check;
      ALTER TABLE webhook_deliveries ADD COLUMN followers integer NOT NULL DEFAULT 0;
      UPDATE webhook_deliveries d SET followers = 1
       WHERE status = 'pending' AND in_order AND EXISTS (
               SELECT FROM webhook_deliveries later
                WHERE later.webhook = d.webhook AND later.subject = d.subject AND later.status = 'pending'
                  AND later.in_order AND later.sequence > d.sequence);
      UPDATE webhook_deliveries d SET due_at = NULL
       WHERE status = 'pending' AND in_order AND EXISTS (
               SELECT FROM webhook_deliveries earlier
                WHERE earlier.webhook = d.webhook AND earlier.subject = d.subject AND earlier.status = 'pending'
                  AND earlier.in_order AND earlier.sequence < d.sequence);
      ALTER TABLE webhook_deliveries
        ADD CHECK (due_at IS NULL OR status = 'pending'),
        ADD CHECK (due_at IS NOT NULL OR status <> 'pending' OR in_order);
      ALTER TABLE endpoint_paces ADD COLUMN leases bigint NOT NULL DEFAULT 0;
      INSERT INTO endpoint_paces (webhook, tokens, at)
      SELECT id, 0, to_timestamp(0) FROM notification_webhooks WHERE deleted_at IS NULL ON CONFLICT DO NOTHING`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE endpoint_paces DROP COLUMN leases;
      UPDATE webhook_deliveries SET due_at = created_at WHERE status = 'pending' AND due_at IS NULL;
      ALTER TABLE webhook_deliveries DROP COLUMN followers`);
  }
}
