import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * provider_calls: the calls to a provider under each of our references, their number and the last answer (decision 0041). It is for
 * operators only and decides nothing: a lost row costs no money. It has no foreign key, so that writing it waits for no lock.
 */
const up = `
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

export class ProviderCalls1900000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE provider_calls');
  }
}
