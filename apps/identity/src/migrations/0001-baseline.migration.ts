import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';

// Columns have the names of the API. Ids of every kind sort by creation time.
const tables = `
CREATE TABLE tenants (
  name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_-]{1,62}$'),
  id text NOT NULL UNIQUE,
  settings jsonb NOT NULL,
  postback_secret_encrypted text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE clients (
  tenant text NOT NULL REFERENCES tenants (name),
  client_id text NOT NULL,
  secret_hash text NOT NULL,
  scope text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, client_id)
);

-- Private keys are encrypted; times are wall time (CONV-32).
CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  algorithm text NOT NULL CHECK (algorithm = 'ES256'),
  public_jwk jsonb NOT NULL,
  private_jwk_encrypted text NOT NULL,
  published_at timestamptz NOT NULL,
  active_from timestamptz NOT NULL UNIQUE,
  CHECK (active_from >= published_at)
);

CREATE TABLE investor_profiles (
  id text PRIMARY KEY,
  old_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text NOT NULL REFERENCES tenants (name),
  name text NOT NULL,
  pan text NOT NULL CHECK (pan ~ '^[A-Z]{5}[0-9]{4}[A-Z]$'),
  date_of_birth date NOT NULL,
  email text,
  mobile_isd_code text,
  mobile_number text,
  tax_status text NOT NULL CHECK (tax_status IN ('resident_individual', 'nri')),
  created_at timestamptz NOT NULL,
  UNIQUE (tenant, id),
  CHECK ((mobile_isd_code IS NULL) = (mobile_number IS NULL))
);
CREATE INDEX investor_profiles_pan ON investor_profiles (tenant, pan);

CREATE TABLE bank_accounts (
  id text PRIMARY KEY,
  old_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text NOT NULL,
  profile text NOT NULL,
  primary_account_holder_name text NOT NULL,
  account_number_encrypted text NOT NULL,
  account_number_hash text NOT NULL,
  type text NOT NULL CHECK (type IN ('savings', 'current', 'nre', 'nro')),
  ifsc_code text NOT NULL CHECK (ifsc_code ~ '^[A-Z]{4}0[A-Z0-9]{6}$'),
  bank_name text NOT NULL,
  bank_code text NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (tenant, profile) REFERENCES investor_profiles (tenant, id),
  UNIQUE (tenant, profile, id)
);
CREATE INDEX bank_accounts_account_number ON bank_accounts (tenant, account_number_hash);

-- The payout account must belong to the investor, so the key contains all three columns.
CREATE TABLE mf_investment_accounts (
  id text PRIMARY KEY,
  old_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  tenant text NOT NULL,
  primary_investor text NOT NULL,
  holding_pattern text NOT NULL CHECK (holding_pattern = 'single'),
  communication_email_address text,
  communication_mobile_number text,
  payout_bank_account text,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (tenant, primary_investor) REFERENCES investor_profiles (tenant, id),
  FOREIGN KEY (tenant, primary_investor, payout_bank_account) REFERENCES bank_accounts (tenant, profile, id)
);
CREATE INDEX mf_investment_accounts_investor ON mf_investment_accounts (tenant, primary_investor);

-- The row is written before the call takes effect; status is null until the call is answered.
CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  tenant text NOT NULL,
  client_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer,
  request_id text NOT NULL
);

-- The data with which the sandbox was seeded. At most one row.
CREATE TABLE sandbox_seed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  facts jsonb NOT NULL
);

-- The remaining rates of tenants, and the counts of token guesses. Times are wall time.
-- Unlogged: after a crash of the server all buckets are full, and no commit waits for the disk (decision 0020).
CREATE UNLOGGED TABLE rate_buckets (
  kind text NOT NULL,
  key text NOT NULL,
  -- The values of the last request; tokens and at are the current level.
  per_second double precision NOT NULL,
  burst double precision NOT NULL,
  spent integer NOT NULL,
  want integer NOT NULL,
  granted integer NOT NULL,
  tokens double precision NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (kind, key)
) WITH (fillfactor = 50);

CREATE FUNCTION rate_bucket_grant(level double precision, want integer)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(0, least(want, floor(level)))::integer
$$;

-- The level of the bucket at the time of the new request, by the current rate.
CREATE FUNCTION rate_bucket_level(old rate_buckets, ask rate_buckets)
RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT least(ask.burst, old.tokens + greatest(0, extract(epoch FROM ask.at - old.at)) * ask.per_second)
$$;
`;

/** The tables of identity as release 0.1 left them, in place of the migrations of that release (decision 0045). */
export class IdentityBaseline1700001000001 extends Baseline {
  static readonly replaces = ['IdentityTables1700000001000', 'RateBuckets1700000060000'];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }
}
