import { createHolidayCopies } from '@fundrail/service-kit/holidays';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mandates carries debits out (decision 0050). The states of `mandate_debits` are those of its machine; the columns after them are the
 * notice and the plan. An open permit of the release before no longer keeps a debit from its next state.
 * - debit_attempts: the intent is written before each call, the outcome after it. At most one is open: no second debit is requested
 *   while the first may still take the money.
 * - debit_pace: limits how many debits a second each provider receives from all replicas (decision 0013). `next_at` is the wall time of
 *   the next free slot; a sender reserves slots by moving it forward.
 * - provider_calls: the calls to a provider under each of our references, their number and the last answer (decision 0041).
 */
const tables = `
ALTER TABLE mandate_permits DROP CONSTRAINT mandate_permits_admitted;
ALTER TABLE mandate_debits
  DROP CONSTRAINT mandate_debits_state,
  DROP CONSTRAINT mandate_debits_ended,
  ADD COLUMN mf_investment_account text,
  ADD COLUMN event_seq integer NOT NULL DEFAULT 0,
  ADD COLUMN execute_at timestamptz,
  ADD COLUMN notice_begun_at timestamptz,
  ADD COLUMN notice_number integer NOT NULL DEFAULT 1 CHECK (notice_number >= 1),
  ADD COLUMN notice_called_at timestamptz,
  ADD COLUMN notified_at timestamptz,
  ADD COLUMN notice_reference text,
  ADD COLUMN notice_proof text,
  ADD COLUMN notice_execute_at timestamptz,
  ADD COLUMN notice_failed_at timestamptz,
  ADD COLUMN notice_withdrawn_at timestamptz,
  ADD COLUMN stop_code text,
  ADD COLUMN failure_code text,
  ADD CONSTRAINT mandate_debits_state CHECK (state IN
    ('admitted', 'notifying', 'planned', 'attempting', 'succeeded', 'failed', 'cancelled', 'released')) NOT VALID,
  ADD CONSTRAINT mandate_debits_ended CHECK
    ((state IN ('admitted', 'notifying', 'planned', 'attempting')) = (ended_at IS NULL)) NOT VALID,
  ADD CONSTRAINT mandate_debits_started_has_a_time CHECK
    (state NOT IN ('notifying', 'planned', 'attempting') OR execute_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT mandate_debits_notifying_has_begun CHECK
    (state <> 'notifying' OR (notice_begun_at IS NOT NULL AND notified_at IS NULL)) NOT VALID,
  ADD CONSTRAINT mandate_debits_notice_is_proved CHECK
    ((notified_at IS NULL) = (notice_reference IS NULL) AND (notified_at IS NULL) = (notice_proof IS NULL)
     AND (notified_at IS NULL) = (notice_execute_at IS NULL)) NOT VALID,
  ADD CONSTRAINT mandate_debits_stopped_attempt CHECK (stop_code IS NULL OR state <> 'planned') NOT VALID;

CREATE TABLE debit_attempts (
  payment_id bigint NOT NULL REFERENCES mandate_debits,
  number integer NOT NULL CHECK (number BETWEEN 1 AND 4),
  tenant text NOT NULL,
  reference text NOT NULL UNIQUE,
  state text NOT NULL CONSTRAINT debit_attempts_state CHECK (state IN ('begun', 'accepted', 'succeeded', 'failed', 'unreceived')),
  started_at timestamptz NOT NULL,
  called_at timestamptz NOT NULL,
  accepted_at timestamptz,
  ended_at timestamptz,
  provider_reference text,
  failure_code text,
  PRIMARY KEY (payment_id, number),
  CONSTRAINT debit_attempts_ended CHECK ((state IN ('begun', 'accepted')) = (ended_at IS NULL)),
  CONSTRAINT debit_attempts_failed_has_a_code CHECK ((state IN ('failed', 'unreceived')) = (failure_code IS NOT NULL)),
  CONSTRAINT debit_attempts_money_has_come CHECK (provider_reference IS NULL OR state = 'succeeded')
);
CREATE UNIQUE INDEX debit_attempts_one_open ON debit_attempts (payment_id) WHERE state IN ('begun', 'accepted');

CREATE TABLE debit_pace (
  provider_name text PRIMARY KEY,
  next_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE provider_calls (
  payment_id bigint NOT NULL,
  reference text NOT NULL,
  tenant text NOT NULL,
  attempts integer NOT NULL CHECK (attempts >= 0),
  tried_at timestamptz,
  call text NOT NULL,
  outcome text NOT NULL,
  detail text CHECK (length(detail) <= 200),
  answered_at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, reference)
);
CREATE INDEX provider_calls_answered_at ON provider_calls (answered_at);
`;

/** For development: it loses the notices and plans of debits. */
const before = `
ALTER TABLE mandate_debits
  DROP CONSTRAINT mandate_debits_state,
  DROP CONSTRAINT mandate_debits_ended,
  DROP CONSTRAINT mandate_debits_started_has_a_time,
  DROP CONSTRAINT mandate_debits_notifying_has_begun,
  DROP CONSTRAINT mandate_debits_notice_is_proved,
  DROP CONSTRAINT mandate_debits_stopped_attempt;
UPDATE mandate_debits SET state = CASE WHEN state = 'cancelled' THEN 'failed' ELSE 'admitted' END
 WHERE state IN ('notifying', 'planned', 'attempting', 'cancelled');
ALTER TABLE mandate_debits
  DROP COLUMN mf_investment_account, DROP COLUMN event_seq, DROP COLUMN execute_at, DROP COLUMN notice_begun_at,
  DROP COLUMN notice_number, DROP COLUMN notice_called_at, DROP COLUMN notified_at, DROP COLUMN notice_reference,
  DROP COLUMN notice_proof, DROP COLUMN notice_execute_at, DROP COLUMN notice_failed_at, DROP COLUMN notice_withdrawn_at,
  DROP COLUMN stop_code, DROP COLUMN failure_code,
  ADD CONSTRAINT mandate_debits_state CHECK (state IN ('admitted', 'succeeded', 'failed', 'released')),
  ADD CONSTRAINT mandate_debits_ended CHECK ((state = 'admitted') = (ended_at IS NULL));
ALTER TABLE mandate_permits ADD CONSTRAINT mandate_permits_admitted
  FOREIGN KEY (payment_id, needs_state) REFERENCES mandate_debits (payment_id, state);
`;

export class Debits1900000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await createHolidayCopies(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_calls, debit_pace, debit_attempts, holiday_copies');
    await runner.query(before);
  }
}
