/**
 * Mandates and debits of the simulated providers (docs/specification/debits.md). An authorisation and a debit each have a row among the
 * provider's payments, by `kind`, so that the pages, the VPAs and the simulate routes work for them too.
 */
export const mandateTables = `
CREATE TABLE provider_mandates (
  reference text PRIMARY KEY REFERENCES provider_payments,
  number bigserial UNIQUE,
  provider text NOT NULL CHECK (provider IN ('gatewaypoa', 'sdkvendor')),
  mandate_id bigint,
  tenant text NOT NULL,
  mandate_type text NOT NULL CHECK (mandate_type IN ('UPI', 'E_MANDATE')),
  max_amount numeric(22,4) NOT NULL,
  valid_from text NOT NULL,
  valid_to text NOT NULL,
  status text NOT NULL
    CHECK (status IN ('unauthorised', 'received', 'submitted', 'active', 'paused', 'cancelled', 'rejected')),
  token text UNIQUE,
  umrn text,
  customer_id text,
  deleted boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX provider_mandates_mandate_id ON provider_mandates (mandate_id);
CREATE INDEX provider_mandates_customer_id ON provider_mandates (customer_id);

CREATE TABLE debit_notices (
  notice_reference text PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  payment_reference text NOT NULL,
  mandate_token text NOT NULL,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  execute_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL,
  withdrawn boolean NOT NULL DEFAULT false
);

CREATE TABLE provider_debits (
  reference text PRIMARY KEY,
  number bigserial UNIQUE,
  payment_reference text NOT NULL,
  tenant text NOT NULL,
  mandate_token text NOT NULL,
  notice_reference text,
  amount numeric(22,4) NOT NULL,
  attempt integer NOT NULL,
  status text NOT NULL CHECK (status IN ('processing', 'captured', 'failed', 'refused')),
  provider_reference text,
  failure_code text,
  failure_message text,
  created_at timestamptz NOT NULL
);
CREATE INDEX provider_debits_payment_reference ON provider_debits (payment_reference);
`;
