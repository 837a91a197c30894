import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a debit stores so that its rules hold when calls or answers are lost or late (docs/specification/debits.md).
 * - notice_number: when the day of a notice is over, a new notice is sent under a new number.
 * - notice_called_at: a call for the notice is under way, so there is no second call.
 * - told_execute_at: the time of the debit as the notice announced it to the investor.
 * - notice_failed_at: the notice did not reach the investor; no attempt starts after that.
 * - mandate_ended_at: the mandate was cancelled or has expired; no attempt starts after that.
 * - debit_attempts.never: why, as far as we know, the provider never received the attempt.
 * - provider_events.ignored_because: the fact in the callback does not fit the type of its payment.
 */
const up = `
ALTER TABLE debits
  ADD COLUMN notice_number integer NOT NULL DEFAULT 1 CHECK (notice_number >= 1),
  ADD COLUMN notice_called_at timestamptz,
  ADD COLUMN told_execute_at timestamptz,
  ADD COLUMN notice_failed_at timestamptz,
  ADD COLUMN mandate_ended_at timestamptz;
UPDATE debits SET told_execute_at = execute_at WHERE notified_at IS NOT NULL;
ALTER TABLE debits
  ADD CONSTRAINT debits_notice_tells_a_time CHECK ((notified_at IS NULL) = (told_execute_at IS NULL));
ALTER TABLE provider_events ADD COLUMN ignored_because text;
ALTER TABLE debit_attempts
  ADD COLUMN never text CHECK (never IN ('forbidden', 'unheard')),
  ADD CONSTRAINT debit_attempts_never_made_has_ended CHECK (never IS NULL OR ended_at IS NOT NULL);
`;

const down = `
ALTER TABLE provider_events DROP COLUMN ignored_because;
ALTER TABLE debit_attempts DROP COLUMN never;
ALTER TABLE debits
  DROP COLUMN notice_number,
  DROP COLUMN notice_called_at,
  DROP COLUMN told_execute_at,
  DROP COLUMN notice_failed_at,
  DROP COLUMN mandate_ended_at;
`;

export class DebitRules1700000000370 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
