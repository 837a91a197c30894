import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';

/**
 * - mandates: the mandate, and the claim of its one running authorisation (`authorising_*`). doubted_at: the provider reported a pause and
 *   got its answer, but the mandate's status is not confirmed yet.
 * - mandate_debits: the admitted debits; at most one live or successful one for a mandate and an order.
 * - mandate_permits: permits for single provider calls. While one is open its debit is `admitted`: the second foreign key
 *   compares the debit's state, and is null (so not compared) once the permit is closed.
 * - mandate_revocations: what the provider has to end, until it confirms that: a cancelled mandate, or a surplus token.
 * - mandate_provider_events: providers' notifications by their own event id, also those about a token that is not known yet.
 */
const tables = `
CREATE SEQUENCE mandates_id_seq AS bigint START 1001;

CREATE TABLE mandates (
  id bigint PRIMARY KEY,
  mandate_ref text NOT NULL UNIQUE,
  tenant text NOT NULL,
  bank_account_id bigint NOT NULL,
  investor_profile text NOT NULL,
  mandate_type text NOT NULL CHECK (mandate_type IN ('UPI', 'E_MANDATE')),
  mandate_status text NOT NULL CONSTRAINT mandates_status CHECK (mandate_status IN
    ('CREATED', 'RECEIVED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'PAUSED', 'CANCELLED', 'EXPIRED')),
  mandate_limit numeric(22,4) NOT NULL CHECK (mandate_limit > 0),
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  provider_name text NOT NULL CHECK (provider_name IN ('GATEWAYPOA', 'SDKVENDOR')),
  mandate_token text,
  umrn text,
  provider_id text,
  rejected_reason text,
  source_ref_id text,
  created_at timestamptz NOT NULL,
  received_at timestamptz,
  submitted_at timestamptz,
  approved_at timestamptz,
  rejected_at timestamptz,
  cancelled_at timestamptz,
  paused_at timestamptz,
  expired_at timestamptz,
  event_seq integer NOT NULL CHECK (event_seq > 0),
  authorising_payment bigint,
  authorising_since timestamptz,
  authorising_check_at timestamptz,
  facts_seq integer NOT NULL DEFAULT 0,
  doubted_at timestamptz,
  CONSTRAINT mandates_validity CHECK (valid_from <= valid_to),
  CONSTRAINT mandates_approved_is_known CHECK
    (mandate_status NOT IN ('APPROVED', 'PAUSED', 'CANCELLED', 'EXPIRED')
     OR (approved_at IS NOT NULL AND mandate_token IS NOT NULL)),
  CONSTRAINT mandates_authorising_is_whole CHECK ((authorising_payment IS NULL) = (authorising_since IS NULL)),
  CONSTRAINT mandates_only_claims_are_checked CHECK (authorising_check_at IS NULL OR authorising_payment IS NOT NULL),
  CONSTRAINT mandates_only_approved_is_doubted CHECK (doubted_at IS NULL OR mandate_status = 'APPROVED')
);
CREATE UNIQUE INDEX mandates_source_ref ON mandates (tenant, source_ref_id) WHERE source_ref_id IS NOT NULL;
CREATE UNIQUE INDEX mandates_token ON mandates (provider_name, mandate_token) WHERE mandate_token IS NOT NULL;
CREATE INDEX mandates_newest ON mandates (tenant, id DESC);
CREATE INDEX mandates_bank_account ON mandates (tenant, bank_account_id, id DESC);
CREATE INDEX mandates_authorising ON mandates (authorising_payment) WHERE authorising_payment IS NOT NULL;
CREATE INDEX mandates_authorising_check ON mandates (authorising_check_at) WHERE authorising_check_at IS NOT NULL;

CREATE TABLE mandate_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mandate_id bigint NOT NULL REFERENCES mandates,
  tenant text NOT NULL,
  trigger text NOT NULL,
  from_status text,
  to_status text NOT NULL,
  event_seq integer NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX mandate_history_mandate ON mandate_history (mandate_id, id);

CREATE TABLE mandate_debits (
  payment_id bigint PRIMARY KEY,
  mandate_id bigint NOT NULL REFERENCES mandates,
  tenant text NOT NULL,
  old_id bigint NOT NULL,
  amount numeric(22,4) NOT NULL CHECK (amount > 0),
  debit_date date NOT NULL,
  state text NOT NULL CONSTRAINT mandate_debits_state CHECK (state IN ('admitted', 'succeeded', 'failed', 'released')),
  admitted_at timestamptz NOT NULL,
  ended_at timestamptz,
  check_at timestamptz,
  UNIQUE (payment_id, state),
  CONSTRAINT mandate_debits_ended CHECK ((state = 'admitted') = (ended_at IS NULL)),
  CONSTRAINT mandate_debits_only_admitted_are_checked CHECK (check_at IS NULL OR state = 'admitted')
);
-- At most one live or successful debit of an order under a mandate: the row lock ensures this, and the index guards it.
CREATE UNIQUE INDEX mandate_debits_one_live ON mandate_debits (mandate_id, old_id) WHERE state IN ('admitted', 'succeeded');
CREATE INDEX mandate_debits_check ON mandate_debits (check_at) WHERE check_at IS NOT NULL;

CREATE TABLE mandate_permits (
  payment_id bigint NOT NULL REFERENCES mandate_debits,
  step text NOT NULL CHECK (step IN ('notify', 'execute')),
  attempt integer NOT NULL CHECK (attempt BETWEEN 1 AND 4),
  mandate_id bigint NOT NULL REFERENCES mandates,
  tenant text NOT NULL,
  granted_at timestamptz NOT NULL,
  closed_at timestamptz,
  needs_state text GENERATED ALWAYS AS (CASE WHEN closed_at IS NULL THEN 'admitted' END) STORED,
  PRIMARY KEY (payment_id, step, attempt),
  CONSTRAINT mandate_permits_admitted FOREIGN KEY (payment_id, needs_state) REFERENCES mandate_debits (payment_id, state)
);
CREATE INDEX mandate_permits_open ON mandate_permits (mandate_id) WHERE closed_at IS NULL;

CREATE TABLE mandate_revocations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mandate_id bigint NOT NULL REFERENCES mandates,
  tenant text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('cancelled', 'surplus')),
  provider_name text NOT NULL,
  mandate_type text NOT NULL,
  mandate_token text NOT NULL,
  provider_id text,
  umrn text,
  requested_at timestamptz NOT NULL,
  revoked_at timestamptz,
  UNIQUE (provider_name, mandate_token)
);
CREATE INDEX mandate_revocations_mandate ON mandate_revocations (mandate_id);

CREATE TABLE mandate_provider_events (
  provider_name text NOT NULL,
  event_id text NOT NULL,
  mandate_token text NOT NULL,
  state text,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (provider_name, event_id)
);
CREATE INDEX mandate_provider_events_token ON mandate_provider_events (provider_name, mandate_token);
-- For the deletion of applied callbacks by their age.
CREATE INDEX mandate_provider_events_received_at ON mandate_provider_events (received_at);
`;

/** The tables of mandates as release 0.1 left them, in place of the migrations of that release (decision 0045). */
export class MandatesBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'Mandates1700000000400',
    'MandatesDoubted1700000014000',
    'ProviderEventsByAge1700000050400',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }
}
