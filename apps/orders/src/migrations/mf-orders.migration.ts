import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * - mf_orders: purchases, later redemptions too (`kind`), so that both get `old_id` from one sequence (ORD-15).
 * - mf_order_history: one row for each transition; `event_seq` is the order's value after it.
 * - gateway_events: the applied callbacks, by the gateway's own event id.
 */
const up = `
CREATE SEQUENCE mf_orders_old_id_seq AS bigint START 1001;

CREATE TABLE mf_orders (
  old_id bigint PRIMARY KEY,
  id text NOT NULL UNIQUE,
  tenant text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('purchase', 'redemption')),
  mf_investment_account text NOT NULL,
  investor_profile text NOT NULL,
  scheme text NOT NULL,
  folio_number text,
  state text NOT NULL CONSTRAINT mf_orders_state CHECK (state IN
    ('under_review', 'pending', 'confirmed', 'submitted', 'successful', 'failed', 'cancelled', 'reversed')),
  type text NOT NULL CHECK (type IN ('fresh', 'additional')),
  amount numeric(22,4) CHECK (amount > 0),
  units numeric(22,4) CHECK (units > 0),
  gateway text NOT NULL,
  plan text,
  installment_number integer,
  scheduled_on date,
  traded_on date,
  allotted_units numeric(22,4),
  purchased_amount numeric(22,4),
  purchased_price numeric(22,4),
  consent jsonb,
  payment_id bigint,
  order_reference text,
  failure_code text,
  source_ref_id text,
  user_ip text,
  euin text,
  partner text,
  initiated_by text,
  initiated_via text,
  created_at timestamptz NOT NULL,
  review_completed_at timestamptz,
  confirmed_at timestamptz,
  submitted_at timestamptz,
  succeeded_at timestamptz,
  failed_at timestamptz,
  cancelled_at timestamptz,
  reversed_at timestamptz,
  event_seq integer NOT NULL CHECK (event_seq > 0),
  claimed_by bigint,
  claimed_at timestamptz,
  claim_check_at timestamptz,
  unanswered_since timestamptz,
  CONSTRAINT mf_orders_purchase_has_amount CHECK (kind <> 'purchase' OR amount IS NOT NULL),
  CONSTRAINT mf_orders_confirmed_has_consent CHECK
    (state NOT IN ('confirmed', 'submitted', 'successful', 'reversed') OR consent IS NOT NULL),
  CONSTRAINT mf_orders_submitted_has_reference CHECK
    (state NOT IN ('submitted', 'successful', 'reversed') OR order_reference IS NOT NULL),
  CONSTRAINT mf_orders_failed_has_code CHECK (state <> 'failed' OR failure_code IS NOT NULL),
  CONSTRAINT mf_orders_claim_is_whole CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
  CONSTRAINT mf_orders_claim_is_visible CHECK
    (claimed_by IS NULL OR claimed_by IS NOT DISTINCT FROM payment_id),
  CONSTRAINT mf_orders_only_claims_are_checked CHECK (claim_check_at IS NULL OR claimed_by IS NOT NULL)
);
CREATE UNIQUE INDEX mf_orders_source_ref ON mf_orders (tenant, kind, source_ref_id) WHERE source_ref_id IS NOT NULL;
CREATE INDEX mf_orders_newest ON mf_orders (tenant, kind, old_id DESC);
CREATE INDEX mf_orders_account ON mf_orders (tenant, mf_investment_account, old_id DESC);
CREATE INDEX mf_orders_plan ON mf_orders (tenant, plan, old_id DESC) WHERE plan IS NOT NULL;
CREATE INDEX mf_orders_claimed_by ON mf_orders (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX mf_orders_claim_check ON mf_orders (claim_check_at) WHERE claim_check_at IS NOT NULL;
CREATE INDEX mf_orders_unanswered ON mf_orders (unanswered_since) WHERE unanswered_since IS NOT NULL;

CREATE TABLE mf_order_history (
  old_id bigint NOT NULL REFERENCES mf_orders,
  event_seq integer NOT NULL,
  tenant text NOT NULL,
  trigger text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  failure_code text,
  at timestamptz NOT NULL,
  PRIMARY KEY (old_id, event_seq)
);

CREATE TABLE gateway_events (
  event_id text PRIMARY KEY,
  reference text NOT NULL,
  received_at timestamptz NOT NULL
);
`;

export class MfOrders1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE gateway_events, mf_order_history, mf_orders; DROP SEQUENCE mf_orders_old_id_seq',
    );
  }
}
