import { createHolidayCopies } from '@fundrail/service-kit/holidays';
import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';

/**
 * - mf_orders: purchases and redemptions (`kind`), so that both get `old_id` from one sequence (ORD-15, ORD-26), with their terms,
 *   their result, and how an installment is collected.
 * - mf_order_history: one row for each transition; `event_seq` is the order's value after it.
 * - gateway_events: the applied callbacks, by the gateway's own event id.
 * - installment_draws: the id under which a request with an Idempotency-Key asks its plan, until the plan answers.
 */
const tables = `
CREATE SEQUENCE mf_orders_old_id_seq AS bigint START 1001;

CREATE TABLE mf_orders (
  old_id bigint PRIMARY KEY,
  id text NOT NULL UNIQUE,
  tenant text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('purchase', 'redemption')),
  mf_investment_account text NOT NULL,
  -- Null for an installment: its investor is looked up when it is needed.
  investor_profile text,
  scheme text NOT NULL,
  folio_number text,
  state text NOT NULL CONSTRAINT mf_orders_state CHECK (state IN
    ('under_review', 'pending', 'confirmed', 'submitted', 'successful', 'failed', 'cancelled', 'reversed')),
  type text NOT NULL,
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
  redeemed_units numeric(22,4),
  redeemed_amount numeric(22,4),
  redeemed_price numeric(22,4),
  collection_mandate bigint,
  collected_at timestamptz,
  CONSTRAINT mf_orders_purchase_has_amount CHECK (kind <> 'purchase' OR amount IS NOT NULL),
  CONSTRAINT mf_orders_confirmed_has_consent CHECK
    (state NOT IN ('confirmed', 'submitted', 'successful', 'reversed') OR consent IS NOT NULL),
  CONSTRAINT mf_orders_submitted_has_reference CHECK
    (state NOT IN ('submitted', 'successful', 'reversed') OR order_reference IS NOT NULL),
  CONSTRAINT mf_orders_failed_has_code CHECK (state <> 'failed' OR failure_code IS NOT NULL),
  CONSTRAINT mf_orders_claim_is_whole CHECK ((claimed_by IS NULL) = (claimed_at IS NULL)),
  CONSTRAINT mf_orders_claim_is_visible CHECK
    (claimed_by IS NULL OR claimed_by IS NOT DISTINCT FROM payment_id),
  CONSTRAINT mf_orders_only_claims_are_checked CHECK (claim_check_at IS NULL OR claimed_by IS NOT NULL),
  CONSTRAINT mf_orders_type CHECK (CASE kind WHEN 'purchase' THEN type IN ('fresh', 'additional')
    ELSE type = CASE WHEN amount IS NOT NULL THEN 'amount' WHEN units IS NOT NULL THEN 'units' ELSE 'all' END END),
  CONSTRAINT mf_orders_amount_or_units CHECK (amount IS NULL OR units IS NULL),
  CONSTRAINT mf_orders_purchase_has_investor CHECK (kind <> 'purchase' OR investor_profile IS NOT NULL),
  CONSTRAINT mf_orders_installment_is_numbered CHECK
    (kind <> 'redemption' OR (plan IS NULL) = (installment_number IS NULL)),
  CONSTRAINT mf_orders_collected_by_a_plan CHECK (collection_mandate IS NULL OR plan IS NOT NULL),
  CONSTRAINT mf_orders_submitted_when_collected CHECK (collection_mandate IS NULL OR collected_at IS NOT NULL
    OR state NOT IN ('submitted', 'successful', 'reversed'))
);
CREATE UNIQUE INDEX mf_orders_source_ref ON mf_orders (tenant, kind, source_ref_id) WHERE source_ref_id IS NOT NULL;
CREATE INDEX mf_orders_newest ON mf_orders (tenant, kind, old_id DESC);
CREATE INDEX mf_orders_account ON mf_orders (tenant, mf_investment_account, old_id DESC);
CREATE INDEX mf_orders_plan ON mf_orders (tenant, plan, old_id DESC) WHERE plan IS NOT NULL;
CREATE INDEX mf_orders_claimed_by ON mf_orders (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX mf_orders_claim_check ON mf_orders (claim_check_at) WHERE claim_check_at IS NOT NULL;
CREATE INDEX mf_orders_unanswered ON mf_orders (unanswered_since) WHERE unanswered_since IS NOT NULL;
-- One redemption for each installment of a plan (PLAN-16).
CREATE UNIQUE INDEX mf_orders_installment ON mf_orders (plan, installment_number)
  WHERE plan IS NOT NULL AND installment_number IS NOT NULL;

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
-- For the deletion of applied callbacks by their age.
CREATE INDEX gateway_events_received_at ON gateway_events (received_at);

CREATE TABLE installment_draws (
  tenant text NOT NULL,
  key text NOT NULL,
  plan text NOT NULL,
  redemption text NOT NULL,
  drawn_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, key)
);
-- For the deletion of old draws by their age.
CREATE INDEX installment_draws_by_age ON installment_draws (drawn_at);
`;

/** The tables of orders as release 0.1 left them, in place of the migrations of that release (decision 0045). */
export class OrdersBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'MfOrders1700000000100',
    'MfRedemptions1700000000200',
    'OneRedemptionAnInstallment1700000000201',
    'InstallmentDrawsByAge1700000000300',
    'HolidayCopies1700000030000',
    'GatewayEventsByAge1700000050100',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await createHolidayCopies(runner);
  }
}
