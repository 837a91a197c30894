import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How money is asked for leaves the table of payments (decision 0051).
 * - upi_requests: the UPI URI or the collect request of a payment.
 * - checkouts: the hosted page of a payment, and the provider's order for page and SDK.
 * - authorisations: the last state of an authorisation's mandate that was published to mandates.
 *
 * They have no foreign key: a creation writes them in one statement with the payment, and nothing deletes a payment.
 */
const TABLES = `
CREATE TABLE upi_requests (
  payment_id bigint PRIMARY KEY,
  tenant text NOT NULL,
  state text NOT NULL CONSTRAINT upi_requests_state CHECK (state IN ('waiting', 'requested', 'sent', 'ending', 'closed')),
  expires_at timestamptz NOT NULL,
  sent_at timestamptz,
  ending text CHECK (ending IN ('expire', 'cancel')),
  mf_investment_account text,
  CONSTRAINT upi_requests_sent CHECK (state NOT IN ('waiting', 'requested') OR sent_at IS NULL),
  CONSTRAINT upi_requests_sent_at CHECK (state <> 'sent' OR sent_at IS NOT NULL),
  CONSTRAINT upi_requests_ending CHECK (state = 'closed' OR (state = 'ending') = (ending IS NOT NULL))
);

CREATE TABLE checkouts (
  payment_id bigint PRIMARY KEY,
  tenant text NOT NULL,
  state text NOT NULL CONSTRAINT checkouts_state CHECK (state IN ('offered', 'opened', 'ending', 'closed')),
  expires_at timestamptz NOT NULL,
  ending text CHECK (ending IN ('expire', 'cancel')),
  postback_url text NOT NULL,
  sdk_offered boolean NOT NULL,
  token_expires_at timestamptz NOT NULL,
  opened_at timestamptz,
  session_hash text,
  order_id text,
  customer_id text,
  bank_code text,
  mf_investment_account text,
  CONSTRAINT checkouts_opened CHECK ((opened_at IS NULL) = (session_hash IS NULL)),
  CONSTRAINT checkouts_opened_at CHECK (CASE state WHEN 'offered' THEN opened_at IS NULL WHEN 'opened' THEN opened_at IS NOT NULL ELSE true END),
  CONSTRAINT checkouts_ending CHECK (state = 'closed' OR (state = 'ending') = (ending IS NOT NULL))
);

CREATE TABLE authorisations (
  payment_id bigint PRIMARY KEY,
  tenant text NOT NULL,
  state text NOT NULL CONSTRAINT authorisations_state CHECK (state IN ('asked', 'received', 'submitted', 'approved', 'rejected'))
);
`;

/** The state of a request in the words of release 0.1. */
const stateOf = (further: string) =>
  `CASE WHEN provider_closed_at IS NOT NULL THEN 'closed' WHEN ending IS NOT NULL THEN 'ending' ${further} END`;

const MOVE = `
INSERT INTO upi_requests (payment_id, tenant, state, expires_at, sent_at, ending, mf_investment_account)
SELECT id, tenant, ${stateOf(`WHEN sent.at IS NOT NULL THEN 'sent'
         WHEN uri_requested_at IS NOT NULL OR payment_type = 'AUTH_TRANSACTION' THEN 'requested' ELSE 'waiting'`)},
       expires_at, sent.at, ending, mf_investment_account
  FROM payments, LATERAL (SELECT CASE WHEN upi_uri IS NULL THEN collect_sent_at ELSE coalesce(uri_requested_at, created_at) END) AS sent (at)
 WHERE upi_type IS NOT NULL;

INSERT INTO checkouts (payment_id, tenant, state, expires_at, ending, postback_url, sdk_offered, token_expires_at, opened_at, session_hash,
                       order_id, customer_id, bank_code, mf_investment_account)
SELECT id, tenant, ${stateOf(`WHEN token_used_at IS NOT NULL THEN 'opened' ELSE 'offered'`)}, expires_at, ending, payment_postback_url,
       sdk_options_offered, coalesce(token_expires_at, created_at), token_used_at, page_session_hash, checkout_order_id,
       checkout_customer_id, bank_code, mf_investment_account
  FROM payments WHERE upi_type IS NULL AND payment_type <> 'NACH';

INSERT INTO authorisations (payment_id, tenant, state)
SELECT id, tenant, coalesce(mandate_fact, 'asked') FROM payments WHERE payment_type = 'AUTH_TRANSACTION';

UPDATE debits AS d SET mf_investment_account = p.mf_investment_account FROM payments AS p WHERE p.id = d.payment_id;

-- For debits that a replica stored since the migration that handed the others over.
INSERT INTO due_work (kind, key, tenant, due_at)
SELECT 'debit.hand_over', payment_id::text, tenant, now() FROM debits ON CONFLICT (kind, key) DO NOTHING;
`;

/** One rewrite of the table; an UPDATE would run its triggers for each row. */
const CONTRACT = `
ALTER TABLE payments ALTER COLUMN upi_uri TYPE jsonb USING CASE WHEN upi_type IS NOT NULL THEN
  jsonb_build_object('type', upi_type, 'vpa', upi_vpa, 'uri', CASE upi_type WHEN 'collect' THEN '' ELSE upi_uri END) END;
ALTER TABLE payments RENAME COLUMN upi_uri TO upi;
ALTER TABLE payments
  DROP COLUMN upi_type, DROP COLUMN upi_vpa, DROP COLUMN payment_postback_url, DROP COLUMN failed_reason, DROP COLUMN expires_at,
  DROP COLUMN uri_requested_at, DROP COLUMN ending, DROP COLUMN provider_closed_at, DROP COLUMN collect_sent_at,
  DROP COLUMN checkout_order_id, DROP COLUMN checkout_customer_id, DROP COLUMN mandate_fact, DROP COLUMN token_expires_at,
  DROP COLUMN token_used_at, DROP COLUMN page_session_hash, DROP COLUMN sdk_options_offered, DROP COLUMN bank_code,
  DROP COLUMN mf_investment_account,
  ADD CONSTRAINT payments_upi CHECK (upi IS NULL OR upi->>'type' IN ('uri', 'collect') AND payment_type <> 'NACH');
`;

/** A replica of release 0.1 writes the columns that are dropped. */
const REPLICA = `SELECT pid, application_name FROM pg_stat_activity WHERE datname = current_database()
   AND starts_with(application_name, 'fundrail-payments') AND EXISTS (SELECT FROM payments) LIMIT 1`;

export class Collections1900000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE payments, debits IN ACCESS EXCLUSIVE MODE');
    const [replica] = (await runner.query(REPLICA)) as { pid: number; application_name: string }[];
    if (replica)
      throw new Error(
        `a replica of payments runs (${replica.application_name}, process ${replica.pid}): stop payments before this migration (docs/operations/upgrading.md)`,
      );
    for (const statements of [TABLES, MOVE, CONTRACT]) await runner.query(statements);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('cannot be reverted: restore the database'));
  }
}
