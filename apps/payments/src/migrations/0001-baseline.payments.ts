/**
 * - payment_id_blocks: ids are drawn in blocks, so that a creation needs no round trip for its id. Lost ids do not matter.
 * - payment_ids: whether an id became a payment or is void; this never changes (CLAIM-5). It is the only table without a tenant,
 *   because orders asks about ids without naming one.
 * - order_states: the projection of the orders' states; the larger sequence wins.
 * - provider_events: callbacks that were applied, by the provider's own event id.
 */
export const paymentTables = `
CREATE SEQUENCE payment_id_blocks AS bigint START 1001 INCREMENT 100;

CREATE TABLE payment_ids (
  id bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('payment', 'void'))
);

CREATE TABLE payments (
  id bigint PRIMARY KEY,
  tenant text NOT NULL,
  payment_type text NOT NULL CHECK (payment_type IN ('NETBANKING', 'NACH', 'AUTH_TRANSACTION')),
  status text NOT NULL CONSTRAINT payments_status CHECK (status IN
    ('PENDING', 'SUBMITTED', 'SUCCESS', 'INITIATED', 'APPROVED', 'FAILED', 'REJECTED')),
  amount numeric(22,4) NOT NULL CHECK (amount >= 0),
  debit_date date NOT NULL,
  method text,
  upi_type text CHECK (upi_type IN ('uri', 'collect')),
  upi_vpa text,
  upi_uri text,
  from_bank_account_id bigint NOT NULL,
  provider_name text NOT NULL CHECK (provider_name IN ('GATEWAYPOA', 'SDKVENDOR')),
  payment_postback_url text NOT NULL,
  mandate_id bigint,
  source_ref_id text,
  failed_reason text,
  failure_code text,
  created_at timestamptz NOT NULL,
  submitted_at timestamptz,
  debit_confirmed_at timestamptz,
  failed_at timestamptz,
  transfer_initiated_at timestamptz,
  settled_at timestamptz,
  rejected_at timestamptz,
  late_auth boolean NOT NULL DEFAULT false,
  event_seq integer NOT NULL CHECK (event_seq > 0),
  -- Null for debits, which do not expire.
  expires_at timestamptz,
  uri_requested_at timestamptz,
  ending text CHECK (ending IN ('expire', 'cancel')),
  provider_closed_at timestamptz,
  received_amount numeric(22,4) NOT NULL DEFAULT 0,
  refunded_amount numeric(22,4) NOT NULL DEFAULT 0,
  transfer_reference text UNIQUE,
  transfer_accepted_at timestamptz,
  -- When the provider accepted the collect request; its five minutes start then.
  collect_sent_at timestamptz,
  -- The provider's order, under which the investor may try more than once.
  checkout_order_id text,
  -- The single use of token_url; page_session_hash is the hash of the cookie that may open the page again.
  token_expires_at timestamptz,
  token_used_at timestamptz,
  page_session_hash text,
  sdk_options_offered boolean NOT NULL DEFAULT false,
  bank_code text,
  -- SDK options are prefilled with its contacts; null on the oldest payments.
  mf_investment_account text,
  -- The provider's customer, for the SDK options of an authorisation.
  checkout_customer_id text,
  -- The last state of this authorisation's mandate that was published to mandates.
  mandate_fact text CHECK (mandate_fact IN ('received', 'submitted', 'approved', 'rejected')),
  CONSTRAINT payments_refunds_within_received CHECK (refunded_amount >= 0 AND refunded_amount <= received_amount),
  CONSTRAINT payments_failed_has_code CHECK ((status = 'FAILED') = (failure_code IS NOT NULL)),
  CONSTRAINT payments_received CHECK (status NOT IN ('SUCCESS', 'INITIATED', 'APPROVED', 'REJECTED') OR received_amount >= amount),
  CONSTRAINT payments_transfer_has_reference CHECK
    (status NOT IN ('INITIATED', 'APPROVED') OR transfer_reference IS NOT NULL),
  CONSTRAINT payments_token_used CHECK ((token_used_at IS NULL) = (page_session_hash IS NULL)),
  CONSTRAINT payments_expire_unless_debits CHECK ((payment_type = 'NACH') = (expires_at IS NULL)),
  CONSTRAINT payments_of_a_mandate CHECK ((payment_type = 'NETBANKING') = (mandate_id IS NULL)),
  CONSTRAINT payments_authorise_without_money CHECK ((payment_type = 'AUTH_TRANSACTION') = (amount = 0))
);
CREATE UNIQUE INDEX payments_source_ref ON payments (tenant, source_ref_id) WHERE source_ref_id IS NOT NULL;
-- payments_newest and payments_filtered are for the list only, which names their collation. On an empty table the planner rates any
-- usable index as good as the primary key; without the collation, a plan made then would find one payment by reading all payments of
-- its tenant (decision 0010). payment_orders_old_id does not contain the tenant for the same reason.
CREATE INDEX payments_newest ON payments (tenant COLLATE "C", created_at DESC, id DESC);
CREATE INDEX payments_filtered ON payments (tenant COLLATE "C", payment_type, status, created_at DESC, id DESC);

CREATE TABLE payment_orders (
  payment_id bigint NOT NULL,
  old_id bigint NOT NULL,
  tenant text NOT NULL,
  order_id text NOT NULL,
  amount numeric(22,4) NOT NULL CHECK (amount > 0),
  live boolean NOT NULL,
  PRIMARY KEY (payment_id, old_id)
);
-- At most one live or successful payment per order: the claim says it first, this says it last.
CREATE UNIQUE INDEX payment_orders_one_live ON payment_orders (old_id) WHERE live;
CREATE INDEX payment_orders_old_id ON payment_orders (old_id);

CREATE TABLE order_states (
  old_id bigint PRIMARY KEY,
  tenant text NOT NULL,
  order_id text NOT NULL,
  state text NOT NULL,
  sequence integer NOT NULL
);

CREATE TABLE captures (
  provider_name text NOT NULL,
  provider_reference text NOT NULL,
  tenant text NOT NULL,
  payment_id bigint NOT NULL REFERENCES payments,
  amount numeric(22,4) NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  captured_at timestamptz NOT NULL,
  PRIMARY KEY (provider_name, provider_reference)
);
CREATE INDEX captures_payment ON captures (payment_id);

CREATE TABLE refunds (
  reference text PRIMARY KEY,
  tenant text NOT NULL,
  payment_id bigint NOT NULL REFERENCES payments,
  number integer NOT NULL CHECK (number > 0),
  amount numeric(22,4) NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN ('late_authorization', 'duplicate_payment', 'order_failed', 'order_not_confirmed',
    'transfer_rejected', 'tpv_failed', 'amount_mismatch', 'operator')),
  status text NOT NULL CONSTRAINT refunds_status CHECK (status IN ('CREATED', 'SUCCESSFUL', 'FAILED')),
  failure_code text,
  attempt integer NOT NULL CHECK (attempt > 0),
  accepted boolean NOT NULL,
  returned_by text NOT NULL CHECK (returned_by IN ('provider', 'registrar')),
  amc_order_ids jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (payment_id, number)
);

CREATE TABLE payment_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  payment_id bigint NOT NULL REFERENCES payments,
  tenant text NOT NULL,
  trigger text NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  event_seq integer NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX payment_history_payment ON payment_history (payment_id, id);

CREATE TABLE provider_events (
  provider_name text NOT NULL,
  event_id text NOT NULL,
  reference text NOT NULL,
  received_at timestamptz NOT NULL,
  -- The fact in the callback does not fit the type of its payment.
  ignored_because text,
  PRIMARY KEY (provider_name, event_id)
);
-- For the deletion of old rows: callbacks that were applied are deleted by their age.
CREATE INDEX provider_events_received_at ON provider_events (received_at);
`;
