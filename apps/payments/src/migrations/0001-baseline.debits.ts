/**
 * What debits, authorisations and the hosted page need (docs/specification/debits.md).
 * - mandate_tokens: the tenant and mandate that a provider's notification is about; event_seq counts the published facts.
 * - debits: one row per NACH payment, with its notice (the provider's answer is the proof) and its planned time.
 *   - notice_number: when the day of a notice is over, a new notice is sent under a new number.
 *   - notice_called_at: a call for the notice is under way, so there is no second call.
 *   - told_execute_at: the time of the debit as the notice announced it to the investor.
 *   - notice_failed_at: the notice did not reach the investor; no attempt starts after that.
 *   - mandate_ended_at: the mandate was cancelled or has expired; no attempt starts after that.
 * - debit_attempts: the intent is written before each call, the outcome after it. At most one is open: no second debit is
 *   requested while the first may still take the money.
 *   - never: why, as far as we know, the provider never received the attempt.
 *   - called_at: when it was last resent. A provider without idempotency keys that receives two concurrent calls may debit the
 *     investor twice, so there is no other call for a while.
 *   - uncalled: its call got no permit, so the provider certainly never received it.
 * - debit_pace: limits how many debits a second each provider receives from all replicas (decision 0013): one row per provider.
 *   `next_at` is the wall time of the next free slot; a sender reserves slots by moving it forward.
 * - order_debits: the debits that another service requested, one per order (`POST /internal/payments/debits`): the id of the
 *   payment, which may not exist yet, or the refusal. A void id is replaced by a new one.
 * - checkout_attempts: the attempts to pay that were started from the hosted page, so that a reload shows the same QR code and a
 *   running attempt blocks the other ways to pay. `shown` is the masked UPI ID or the bank's code: the UPI ID itself is not stored.
 */
export const debitTables = `
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
  notice_number integer NOT NULL DEFAULT 1 CHECK (notice_number >= 1),
  notice_called_at timestamptz,
  told_execute_at timestamptz,
  notice_failed_at timestamptz,
  mandate_ended_at timestamptz,
  CONSTRAINT debits_notice_is_proved CHECK
    ((notified_at IS NULL) = (notice_reference IS NULL) AND (notified_at IS NULL) = (notice_proof IS NULL)),
  CONSTRAINT debits_notice_was_begun CHECK (notified_at IS NULL OR notice_begun_at IS NOT NULL),
  CONSTRAINT debits_notice_tells_a_time CHECK ((notified_at IS NULL) = (told_execute_at IS NULL))
);
-- Finds the debits of a mandate when it is cancelled or has expired.
CREATE INDEX debits_mandate_id ON debits (mandate_id);

CREATE TABLE debit_attempts (
  payment_id bigint NOT NULL REFERENCES debits,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 4),
  tenant text NOT NULL,
  reference text NOT NULL UNIQUE,
  started_at timestamptz NOT NULL,
  accepted_at timestamptz,
  ended_at timestamptz,
  failure_code text,
  never text CHECK (never IN ('forbidden', 'unheard')),
  called_at timestamptz,
  uncalled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (payment_id, number),
  CONSTRAINT debit_attempts_fail_when_they_end CHECK (failure_code IS NULL OR ended_at IS NOT NULL),
  CONSTRAINT debit_attempts_never_made_has_ended CHECK (never IS NULL OR ended_at IS NOT NULL)
);
CREATE UNIQUE INDEX debit_attempts_one_open ON debit_attempts (payment_id) WHERE ended_at IS NULL;

CREATE TABLE debit_pace (
  provider_name text PRIMARY KEY,
  next_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE order_debits (
  tenant text NOT NULL,
  old_id bigint NOT NULL,
  order_id text NOT NULL,
  mandate_id bigint NOT NULL,
  payment_id bigint NOT NULL,
  refused_code text,
  refused_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, old_id),
  CONSTRAINT order_debits_refusal_is_whole CHECK ((refused_code IS NULL) = (refused_message IS NULL))
);

CREATE TABLE checkout_attempts (
  payment_id bigint NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  tenant text NOT NULL,
  way text NOT NULL CHECK (way IN ('intent', 'collect', 'netbanking')),
  shown text,
  address text,
  failure_code text,
  started_at timestamptz NOT NULL,
  laid_aside_at timestamptz,
  PRIMARY KEY (payment_id, number),
  CONSTRAINT checkout_attempts_refused_has_no_address CHECK (address IS NULL OR failure_code IS NULL)
);
`;
