import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of webhooks (docs/specification/webhooks.md). */
const up = `
CREATE TABLE notification_webhooks (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL CHECK (cardinality(events) BETWEEN 1 AND 50),
  status text NOT NULL CHECK (status IN ('enabled', 'disabled')),
  secret_encrypted text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  disabled_at timestamptz,
  disabled_reason text,
  -- Since when no delivery has succeeded; null while all is well.
  failing_since timestamptz,
  deleted_at timestamptz,
  -- Counts the endpoint's own events (notification_webhook.disabled).
  event_seq integer NOT NULL DEFAULT 0,
  CHECK ((status = 'disabled') = (disabled_at IS NOT NULL))
);
CREATE INDEX notification_webhooks_tenant ON notification_webhooks (tenant, id);

-- body is what is signed and sent, byte for byte. subject is the object's kind and id: the ids of two kinds may be the same number.
CREATE TABLE events (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  subject text NOT NULL,
  sequence integer NOT NULL,
  body text NOT NULL,
  occurred_at timestamptz NOT NULL,
  stored_at timestamptz NOT NULL
);
CREATE INDEX events_tenant ON events (tenant, id);
CREATE INDEX events_object ON events (tenant, object_id, id);

-- due_at is business time; the lease is wall time.
CREATE TABLE webhook_deliveries (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  webhook text NOT NULL REFERENCES notification_webhooks (id),
  event text NOT NULL REFERENCES events (id),
  type text NOT NULL,
  object_id text NOT NULL,
  subject text NOT NULL,
  sequence integer NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  -- A manual retry stands outside the order of its object's events.
  in_order boolean NOT NULL DEFAULT true,
  -- Attempts since the creation or the last manual retry: the row of the retry table.
  tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 10),
  due_at timestamptz,
  lease_token text,
  leased_until timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'pending') = (due_at IS NOT NULL))
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhook, subject, sequence) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (tenant, webhook, id);

CREATE TABLE delivery_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text NOT NULL,
  delivery text NOT NULL REFERENCES webhook_deliveries (id),
  at timestamptz NOT NULL,
  status integer,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  error text,
  response_body text CHECK (octet_length(response_body) <= 16384)
);
CREATE INDEX delivery_attempts_delivery ON delivery_attempts (delivery, id);
`;

export class WebhookTables1700000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('the tables of webhooks cannot be reverted: drop the database'));
  }
}
