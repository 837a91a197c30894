import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';

/** The tables of webhooks (docs/specification/webhooks.md). */
const tables = `
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
  -- Retry-After pauses the whole endpoint, not one delivery. Business time.
  paused_until timestamptz,
  -- After a rotation the old secret signs as well, for 24 h of business time.
  old_secrets jsonb NOT NULL DEFAULT '[]',
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
  stored_at timestamptz NOT NULL,
  -- Webhooks carry the trace of their event's cause.
  traceparent text
);
-- Events are listed and replayed by the time at which they occurred. A time range, with or without a type or an object, is one
-- contiguous part of an index.
CREATE INDEX events_time ON events (tenant, occurred_at, id);
CREATE INDEX events_type_time ON events (tenant, type, occurred_at, id);
CREATE INDEX events_object_time ON events (tenant, object_id, occurred_at, id);

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

-- due_at is business time; the lease is wall time. A delivery that waits for an earlier one of its object has no due time, so a
-- lease does not read it. A delivery that is retried manually leaves its replay's queue, but is still counted as one of its deliveries.
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
  replay text REFERENCES webhook_replays (id),
  -- A success makes the endpoint's waiting deliveries due. The retry table's time is stored here. Business time.
  planned_at timestamptz,
  -- The number of events that are held behind this delivery.
  followers integer NOT NULL DEFAULT 0,
  -- Why it was given up. One that got a 410 has its own code; the endpoint's other pending ones are given up because it is disabled.
  failure_code text,
  retried_of text,
  CONSTRAINT webhook_deliveries_check CHECK (due_at IS NULL OR status = 'pending'),
  CONSTRAINT webhook_deliveries_check1 CHECK (due_at IS NOT NULL OR status <> 'pending' OR in_order)
);
-- As in databases of release 0.1, whose older rows were not checked.
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_failure_code_check CHECK
    (failure_code IN ('attempts_exhausted', 'endpoint_gone', 'endpoint_disabled', 'endpoint_deleted', 'replay_cancelled')) NOT VALID,
  ADD CONSTRAINT webhook_deliveries_check2 CHECK (failure_code IS NULL OR status = 'failed') NOT VALID;
-- In this order: among indexes that cost the same the planner takes the newest, and a lease must not take the history's.
CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhook, subject, sequence) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries (tenant, webhook, id);
-- Each part of the lease has exactly one usable index: due deliveries by due_at, running ones by leased_until, earlier ones by
-- status. PostgreSQL's statistics mostly describe an empty queue, and then any index seems equally good: with 30 000 waiting
-- deliveries, a lease took a second.
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (webhook, leased_until) WHERE leased_until IS NOT NULL;
-- Replayed deliveries have their own index, and the index for leasing new deliveries excludes them. So any number of them does not
-- slow new events down.
CREATE INDEX webhook_deliveries_replay ON webhook_deliveries (replay, status, due_at, id) WHERE replay IS NOT NULL;
CREATE INDEX webhook_deliveries_due_at ON webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL AND replay IS NULL;
-- An event is deleted when it has no delivery left.
CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event);
-- Failed and pending deliveries are listed by their own indexes, and not searched for among months of delivered ones.
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant, webhook, id) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (tenant, webhook, id) WHERE status = 'pending';
-- To count the manually retried deliveries of a replay.
CREATE INDEX webhook_deliveries_retried_of ON webhook_deliveries (retried_of, status) WHERE retried_of IS NOT NULL;

-- The remaining rate tokens of each endpoint, shared by all replicas. Unlogged, because it is written with every lease; after a
-- crash, every endpoint starts with one second's worth. By leases, a lease detects that another one ran since it counted the
-- running deliveries. Each endpoint has its row from the start.
CREATE UNLOGGED TABLE endpoint_paces (
  webhook text PRIMARY KEY,
  tokens double precision NOT NULL,
  at timestamptz NOT NULL,
  leases bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Partitioned by the day of wall time, so that an old day is dropped and not deleted row by row. A default partition takes attempts
-- without a day. No foreign key to the delivery: it would be checked for each, and a day may be dropped before its deliveries. An
-- attempt stores its URL and the time of its signature: the endpoint's URL may have changed since, and the sandbox clock differs
-- from the signature's.
CREATE TABLE delivery_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY,
  tenant text NOT NULL,
  delivery text NOT NULL,
  at timestamptz NOT NULL,
  status integer,
  duration_ms integer NOT NULL CHECK (duration_ms >= 0),
  error text,
  response_body text CHECK (octet_length(response_body) <= 16384),
  -- The name of the constraint is the one in databases of release 0.1.
  stored_at timestamptz CONSTRAINT delivery_attempts_before_stored_at_not_null NOT NULL DEFAULT now(),
  url text,
  webhook_timestamp bigint,
  PRIMARY KEY (delivery, id, stored_at)
) PARTITION BY RANGE (stored_at);
-- Until the end of the day on which the database is created.
DO $$ BEGIN
  EXECUTE format('CREATE TABLE delivery_attempts_before PARTITION OF delivery_attempts FOR VALUES FROM (MINVALUE) TO (%L)',
    date_trunc('day', now(), 'UTC') + interval '1 day');
END $$;
CREATE TABLE delivery_attempts_other PARTITION OF delivery_attempts DEFAULT;
-- Attempts without a day are usually few. This index finds old ones even when there are many.
CREATE INDEX delivery_attempts_other_stored_at ON delivery_attempts_other (stored_at);
`;

/** The tables of webhooks as release 0.1 left them, in place of the migrations of that release (decision 0045). */
export class WebhooksBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'WebhookTables1700000002000',
    'EventTraces1700000012000',
    'LeasedDeliveries1700000013000',
    'PausedEndpoints1700000030000',
    'OldSecrets1700000031000',
    'WebhookReplays1700000032000',
    'ReplayIndexes1700000032001',
    'EndpointPaces1700000033000',
    'PlannedAttempts1700000034000',
    'HeldDeliveries1700000035000',
    'AttemptDays1700000036000',
    'DeliveriesByEvent1700000036001',
    'EventTimes1700000037000',
    'ToldDeliveries1700000038000',
    'ListedDeliveries1700000038001',
    'GoneEndpoints1700000039000',
    'CancelledReplays1700000042000',
    'RetriedDeliveries1700000042001',
    'AttemptsWithoutDay1700000043000',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }
}
