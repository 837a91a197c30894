import { SqlMigration } from '@fundrail/service-kit/db';

/**
 * What stays of events, deliveries and attempts after 30 days, for `log_days` of `personal_data_retention`: facts without event data and
 * without bodies of answers. Tables of their own, so that a year of them slows no delivery. `stored_at` is wall time, for the deletion.
 */
export class PastFacts1900000000013 extends SqlMigration {
  protected readonly forward = `
    CREATE TABLE past_events (
      id text PRIMARY KEY,
      tenant text NOT NULL,
      type text NOT NULL,
      object_id text NOT NULL,
      subject text NOT NULL,
      sequence integer NOT NULL,
      occurred_at timestamptz NOT NULL,
      stored_at timestamptz NOT NULL
    );
    CREATE INDEX past_events_stored_at ON past_events (stored_at);
    CREATE TABLE past_deliveries (
      id text PRIMARY KEY,
      tenant text NOT NULL,
      webhook text NOT NULL,
      event text NOT NULL,
      status text NOT NULL,
      failure_code text,
      -- Business time.
      created_at timestamptz NOT NULL,
      -- 30 days before the move: the wall time of the creation, or later for a delivery that was pending so long.
      stored_at timestamptz NOT NULL
    );
    CREATE INDEX past_deliveries_stored_at ON past_deliveries (stored_at);
    CREATE TABLE past_attempts (
      id bigint NOT NULL,
      tenant text NOT NULL,
      delivery text NOT NULL,
      -- Business time.
      at timestamptz NOT NULL,
      status integer,
      duration_ms integer NOT NULL,
      error text,
      url text,
      webhook_timestamp bigint,
      stored_at timestamptz NOT NULL,
      PRIMARY KEY (delivery, id)
    );
    CREATE INDEX past_attempts_stored_at ON past_attempts (stored_at)`;
  protected readonly back = 'DROP TABLE past_events; DROP TABLE past_deliveries; DROP TABLE past_attempts';
}
