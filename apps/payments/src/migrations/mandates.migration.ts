import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What authorisations and debits need in payments (docs/specification/debits.md).
 * - payments.expires_at: null for debits, which do not expire.
 * - payments.checkout_customer_id: the provider's customer, for the SDK options of an authorisation.
 * - payments.mandate_fact: the last state of this authorisation's mandate that was published to mandates.
 * - mandate_tokens: the tenant and mandate that a provider's notification is about; event_seq counts the published facts.
 * - debits: one row per NACH payment, with its notice (the provider's answer is the proof) and its planned time.
 * - debit_attempts: the intent is written before each call, the outcome after it. At most one is open: no second debit is
 *   requested while the first may still take the money.
 */
const up = `
ALTER TABLE payments
  ALTER COLUMN expires_at DROP NOT NULL,
  ADD COLUMN checkout_customer_id text,
  ADD COLUMN mandate_fact text CHECK (mandate_fact IN ('received', 'submitted', 'approved', 'rejected')),
  ADD CONSTRAINT payments_expire_unless_debits CHECK ((payment_type = 'NACH') = (expires_at IS NULL)),
  ADD CONSTRAINT payments_of_a_mandate CHECK ((payment_type = 'NETBANKING') = (mandate_id IS NULL)),
  ADD CONSTRAINT payments_authorise_without_money CHECK ((payment_type = 'AUTH_TRANSACTION') = (amount = 0));

CREATE TABLE mandate_tokens (
  provider_name text NOT NULL,
  mandate_token text NOT NULL,
  tenant text NOT NULL,
  mandate_id bigint NOT NULL,
  event_seq integer NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_name, mandate_token)
);

CREATE TABLE debits (
  payment_id bigint PRIMARY KEY REFERENCES payments,
  tenant text NOT NULL,
  mandate_id bigint NOT NULL,
  mandate_type text NOT NULL CHECK (mandate_type IN ('UPI', 'E_MANDATE')),
  mandate_token text NOT NULL,
  provider_id text,
  umrn text,
  execute_at timestamptz NOT NULL,
  planned_at timestamptz,
  notice_begun_at timestamptz,
  notified_at timestamptz,
  notice_reference text,
  notice_proof text,
  notice_withdrawn_at timestamptz,
  CONSTRAINT debits_notice_is_proved CHECK
    ((notified_at IS NULL) = (notice_reference IS NULL) AND (notified_at IS NULL) = (notice_proof IS NULL)),
  CONSTRAINT debits_notice_was_begun CHECK (notified_at IS NULL OR notice_begun_at IS NOT NULL)
);

CREATE TABLE debit_attempts (
  payment_id bigint NOT NULL REFERENCES debits,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 4),
  tenant text NOT NULL,
  reference text NOT NULL UNIQUE,
  started_at timestamptz NOT NULL,
  accepted_at timestamptz,
  ended_at timestamptz,
  failure_code text,
  PRIMARY KEY (payment_id, number),
  CONSTRAINT debit_attempts_fail_when_they_end CHECK (failure_code IS NULL OR ended_at IS NOT NULL)
);
CREATE UNIQUE INDEX debit_attempts_one_open ON debit_attempts (payment_id) WHERE ended_at IS NULL;
`;

const down = `
DROP TABLE debit_attempts, debits, mandate_tokens;
ALTER TABLE payments
  DROP CONSTRAINT payments_expire_unless_debits,
  DROP CONSTRAINT payments_of_a_mandate,
  DROP CONSTRAINT payments_authorise_without_money,
  DROP COLUMN checkout_customer_id,
  DROP COLUMN mandate_fact,
  ALTER COLUMN expires_at SET NOT NULL;
`;

export class Mandates1700000000350 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
