import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a debit has to remember so that its rules hold whatever is lost or comes late (contract §4).
 * - notice_number: a notice whose day is over is told anew, under a name of its own.
 * - notice_called_at: a call for the notice is under way; nobody else makes one.
 * - told_execute_at: when the investor was told that the money is taken.
 * - notice_failed_at: the notice did not reach the investor; no attempt is begun from then on.
 * - mandate_ended_at: the mandate was cancelled or has expired; the same.
 * - debit_attempts.never: why the provider, as far as we know, never had it.
 * - provider_events.ignored_because: the callback told something that its payment cannot be told.
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
