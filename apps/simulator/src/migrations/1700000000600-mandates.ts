import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mandates and debits of the simulated providers (docs/specification/debits.md). An authorisation and a debit each have a row among the
 * provider's payments, by `kind`, so that the pages, the VPAs and the simulate routes work for them too.
 */
export class Mandates1700000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}

const up = `
ALTER TABLE provider_payments
  ADD COLUMN kind text NOT NULL DEFAULT 'payment' CHECK (kind IN ('payment', 'authorisation', 'debit'));

ALTER TABLE callbacks
  DROP CONSTRAINT callbacks_topic_check,
  ADD CONSTRAINT callbacks_topic_check CHECK (topic IN ('orders', 'payments', 'mandates', 'sdkvendor'));

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

CREATE TABLE sdk_customers (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  name text,
  email text,
  contact text,
  notes jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (email, contact)
);

ALTER TABLE sdk_orders ADD COLUMN method text;
ALTER TABLE sdk_payments
  DROP CONSTRAINT sdk_payments_method_check,
  ADD CONSTRAINT sdk_payments_method_check CHECK (method IN ('upi', 'netbanking', 'emandate'));
`;

const down = `
DELETE FROM sdk_payments WHERE method = 'emandate';
ALTER TABLE sdk_payments
  DROP CONSTRAINT sdk_payments_method_check,
  ADD CONSTRAINT sdk_payments_method_check CHECK (method IN ('upi', 'netbanking'));
ALTER TABLE sdk_orders DROP COLUMN method;
DROP TABLE sdk_customers, provider_debits, debit_notices, provider_mandates;
DELETE FROM callbacks WHERE topic = 'mandates';
ALTER TABLE callbacks
  DROP CONSTRAINT callbacks_topic_check,
  ADD CONSTRAINT callbacks_topic_check CHECK (topic IN ('orders', 'payments', 'sdkvendor'));
ALTER TABLE provider_payments DROP COLUMN kind;
`;
