import type { MigrationInterface, QueryRunner } from 'typeorm';

// Unlogged: after a crash of the server all buckets are full, and no commit waits for the disk (decision 0020).
const up = `
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

/** The remaining rates of tenants, and the counts of token guesses. Times are wall time. */
export class RateBuckets1700000060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION rate_bucket_level; DROP FUNCTION rate_bucket_grant; DROP TABLE rate_buckets',
    );
  }
}
