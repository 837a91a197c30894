import { SqlMigration } from '@fundrail/service-kit/db';

/** The requested moves of the sandbox clock, so that a move outlives its request and its process (docs/operations/sandbox-clock.md). */
export class ClockMoves1700001070002 extends SqlMigration {
  protected readonly forward = `
    CREATE TABLE clock_moves (
      id text PRIMARY KEY,
      place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
      tenant text NOT NULL,
      idempotency_key text,
      request text NOT NULL,
      target timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      failure text,
      CONSTRAINT clock_moves_failed_ones_ended CHECK (failure IS NULL OR ended_at IS NOT NULL)
    );
    CREATE UNIQUE INDEX clock_moves_key ON clock_moves (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL;
    CREATE INDEX clock_moves_live ON clock_moves (place) WHERE ended_at IS NULL;
    CREATE INDEX clock_moves_target ON clock_moves (target);
    CREATE INDEX clock_moves_ended_at ON clock_moves (ended_at);
  `;
  protected readonly back = 'DROP TABLE clock_moves';
}
