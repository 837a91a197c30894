import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The simulated Razorpay: orders, the attempts under them, refunds. Each order has a row among the provider's payments. */
export class Sdkvendor1700000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}

const up = `
ALTER TABLE provider_payments
  ALTER COLUMN payment_id DROP NOT NULL,
  ADD COLUMN provider text NOT NULL DEFAULT 'gatewaypoa' CHECK (provider IN ('gatewaypoa', 'sdkvendor'));

ALTER TABLE callbacks
  DROP CONSTRAINT callbacks_topic_check,
  ADD CONSTRAINT callbacks_topic_check CHECK (topic IN ('orders', 'payments', 'sdkvendor'));

CREATE TABLE sdk_orders (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  reference text NOT NULL UNIQUE REFERENCES provider_payments,
  tenant text NOT NULL,
  receipt text UNIQUE,
  amount numeric(22,4) NOT NULL,
  currency text NOT NULL,
  notes jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE sdk_payments (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  order_id text NOT NULL REFERENCES sdk_orders,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  currency text NOT NULL,
  method text NOT NULL CHECK (method IN ('upi', 'netbanking')),
  bank text,
  vpa text,
  email text,
  contact text,
  callback_url text,
  notes jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('created', 'captured', 'failed')),
  error_reason text,
  error_description text,
  created_at timestamptz NOT NULL
);
CREATE INDEX sdk_payments_order_id ON sdk_payments (order_id);

CREATE TABLE sdk_refunds (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  payment_id text NOT NULL REFERENCES sdk_payments,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  receipt text,
  idempotency_key text UNIQUE,
  notes jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'processed', 'failed')),
  created_at timestamptz NOT NULL
);
CREATE INDEX sdk_refunds_payment_id ON sdk_refunds (payment_id);
`;

const down = `
DROP TABLE sdk_refunds, sdk_payments, sdk_orders;
DELETE FROM callbacks WHERE topic = 'sdkvendor';
ALTER TABLE callbacks
  DROP CONSTRAINT callbacks_topic_check,
  ADD CONSTRAINT callbacks_topic_check CHECK (topic IN ('orders', 'payments'));
DELETE FROM transfers WHERE payment_reference IN (SELECT reference FROM provider_payments WHERE provider = 'sdkvendor');
DELETE FROM provider_payments WHERE provider = 'sdkvendor';
ALTER TABLE provider_payments DROP COLUMN provider, ALTER COLUMN payment_id SET NOT NULL;
`;
