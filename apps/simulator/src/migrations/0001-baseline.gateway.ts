/** The data of the simulated gateway and of the payment provider. */
export const gatewayTables = `
CREATE TABLE gateway_orders (
  reference text PRIMARY KEY,
  tenant text NOT NULL,
  old_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('purchase', 'redemption')),
  scheme text NOT NULL,
  folio_number text,
  amount numeric(22,4),
  units numeric(22,4),
  review text NOT NULL CHECK (review IN ('in_review', 'passed', 'rejected')),
  submission text NOT NULL CHECK (submission IN ('none', 'accepted')),
  order_reference text UNIQUE,
  outcome text NOT NULL CHECK (outcome IN ('processing', 'processed', 'rejected', 'reversed')),
  failure_code text,
  money_arrived boolean NOT NULL,
  traded_on date,
  allotted_units numeric(22,4),
  allotted_amount numeric(22,4),
  nav numeric(22,4),
  allotted_folio text,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX gateway_orders_old_id ON gateway_orders (tenant, old_id);
CREATE SEQUENCE gateway_order_numbers START 100001;

CREATE TABLE provider_payments (
  reference text PRIMARY KEY,
  payment_id bigint UNIQUE,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  payee_name text NOT NULL,
  upi_uri text NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('awaiting_payer', 'captured', 'declined', 'cancelled')),
  provider_reference text UNIQUE,
  failure_code text,
  failure_message text,
  transfer_refusal text,
  created_at timestamptz NOT NULL,
  -- Of a collect request; null for a payment by URI.
  vpa text,
  provider text NOT NULL DEFAULT 'gatewaypoa' CHECK (provider IN ('gatewaypoa', 'sdkvendor')),
  kind text NOT NULL DEFAULT 'payment' CHECK (kind IN ('payment', 'authorisation', 'debit')),
  -- Money from another account than the payer's, and money that came twice.
  third_party boolean NOT NULL DEFAULT false,
  captures integer NOT NULL DEFAULT 0 CHECK (captures BETWEEN 0 AND 2)
);
CREATE SEQUENCE provider_payment_numbers START 100001;

CREATE TABLE transfers (
  reference text PRIMARY KEY,
  payment_reference text NOT NULL REFERENCES provider_payments,
  tenant text NOT NULL,
  shares jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'settled', 'rejected')),
  failure_code text,
  created_at timestamptz NOT NULL
);
CREATE INDEX transfers_payment_reference ON transfers (payment_reference);

CREATE TABLE refunds (
  reference text PRIMARY KEY,
  payment_reference text NOT NULL REFERENCES provider_payments,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'processed', 'failed')),
  failure_code text,
  created_at timestamptz NOT NULL
);
CREATE INDEX refunds_payment_reference ON refunds (payment_reference);

CREATE TABLE callbacks (
  id bigserial PRIMARY KEY,
  event_id text NOT NULL UNIQUE,
  tenant text NOT NULL,
  topic text NOT NULL CHECK (topic IN ('orders', 'payments', 'mandates', 'plans', 'sdkvendor')),
  reference text NOT NULL,
  body text NOT NULL,
  fault text,
  not_before timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  ended text CHECK (ended IN ('delivered', 'dropped', 'given_up'))
);
CREATE INDEX callbacks_unsent ON callbacks (topic, reference, id) WHERE ended IS NULL;

CREATE TABLE faults (
  id bigserial PRIMARY KEY,
  tenant text NOT NULL,
  target text NOT NULL,
  operation text NOT NULL,
  kind text NOT NULL,
  delay_ms integer,
  remaining integer NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX faults_live ON faults (operation, id) WHERE remaining > 0;

CREATE TABLE held_steps (
  kind text NOT NULL,
  key text NOT NULL,
  tenant text NOT NULL,
  PRIMARY KEY (kind, key)
);

-- Redemption plans at the simulated gateway (docs/specification/withdrawal-plans.md).
CREATE TABLE gateway_plans (
  reference text PRIMARY KEY,
  tenant text NOT NULL,
  old_id bigint NOT NULL,
  number_of_installments integer NOT NULL,
  review text NOT NULL CHECK (review IN ('in_review', 'passed', 'rejected')),
  registration text NOT NULL CHECK (registration IN ('none', 'in_progress', 'registered')),
  failure_code text,
  created_at timestamptz NOT NULL,
  CONSTRAINT gateway_plans_in_order CHECK (registration = 'none' OR review = 'passed')
);
`;
