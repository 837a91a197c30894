/** The simulated Razorpay: orders, the attempts under them, refunds. Each order has a row among the provider's payments. */
export const sdkvendorTables = `
CREATE TABLE sdk_orders (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  reference text NOT NULL UNIQUE REFERENCES provider_payments,
  tenant text NOT NULL,
  receipt text,
  amount numeric(22,4) NOT NULL,
  currency text NOT NULL,
  notes jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  method text,
  repeats boolean NOT NULL DEFAULT false
);
-- Razorpay has no idempotency key for the order of a debit, so two orders with one receipt are possible.
CREATE UNIQUE INDEX sdk_orders_receipt ON sdk_orders (receipt) WHERE NOT repeats;

CREATE TABLE sdk_payments (
  id text PRIMARY KEY,
  number bigserial UNIQUE,
  order_id text NOT NULL REFERENCES sdk_orders,
  tenant text NOT NULL,
  amount numeric(22,4) NOT NULL,
  currency text NOT NULL,
  method text NOT NULL CHECK (method IN ('upi', 'netbanking', 'emandate')),
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
`;
