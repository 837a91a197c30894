/**
 * The tables of this library; each service's first migration executes it. It does not change: a change is a later migration of
 * service-kit.
 *
 * - `outbox`: events to be published, in id order. `created_at` is wall time, for the lag; `occurred_at` business time.
 * - `inbox`: events whose effect is committed, for 14 days.
 * - `parked_events`: events that failed for good, and the later ones of their aggregate; see `parked-events.ts`.
 */
export const messagingMigrationSql = `
CREATE TABLE outbox (
  id bigserial PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  type text NOT NULL,
  version int NOT NULL,
  tenant text NOT NULL,
  aggregate_id text NOT NULL,
  sequence int NOT NULL CHECK (sequence > 0),
  occurred_at timestamptz NOT NULL,
  data text NOT NULL,
  traceparent text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  UNIQUE (aggregate_id, sequence)
);
CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL;

CREATE TABLE inbox (
  consumer_group text NOT NULL,
  event_id text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (consumer_group, event_id)
);
CREATE INDEX inbox_received_at ON inbox (received_at);

CREATE TABLE parked_events (
  id bigserial PRIMARY KEY,
  consumer_group text NOT NULL,
  event_id text NOT NULL,
  topic text NOT NULL,
  aggregate_id text NOT NULL,
  sequence int NOT NULL,
  envelope text NOT NULL,
  status text NOT NULL CHECK (status IN ('failed', 'behind', 'replay')),
  error text,
  tries int NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  replayed_at timestamptz,
  UNIQUE (consumer_group, event_id)
);
CREATE INDEX parked_events_waiting ON parked_events (consumer_group, topic, aggregate_id, sequence) WHERE replayed_at IS NULL;
-- Parked events that were handled or given up are deleted by age.
CREATE INDEX parked_events_replayed_at ON parked_events (replayed_at);
`;
