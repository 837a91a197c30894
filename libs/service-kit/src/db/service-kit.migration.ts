import { messagingMigrationSql } from '@fundrail/messaging';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Baseline } from './baseline.ts';
import { HashingSecrets1700001040002 } from '../hashing/hashing-secret.migration.ts';
import { reconciliationTables } from '../reconciliation/reconciliation-tables.ts';
import { DatabaseUse1700001040000 } from '../sandbox/database-use.migration.ts';
import { UnchangedWork1700001080003 } from '../due/unchanged-work.migration.ts';
import { OverrideIssue1700001070002 } from '../sandbox/override-issue.migration.ts';

/**
 * The kit's own tables, one set in each service's database.
 * - due_work: everything to be done later (DUE-1); `due_at` is business time, the lease is wall time.
 * - idempotency_keys: docs/specification/idempotency.md; `created_at` and `held_until` are wall time.
 * - business_clock: how far the sandbox's clock was moved (CLOCK-7); never more than one row.
 */
const tables = `
CREATE TABLE due_work (
  kind text NOT NULL,
  key text NOT NULL,
  tenant text NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  lease_token text,
  leased_until timestamptz,
  -- Due work continues the trace of the code that scheduled it.
  traceparent text,
  PRIMARY KEY (kind, key)
);
-- Due work is read by kind, so many waiting rows of one kind do not slow down the others.
CREATE INDEX due_work_kind_due_at ON due_work (kind, due_at);

CREATE TABLE idempotency_keys (
  tenant text NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  holder text NOT NULL,
  held_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  resource_id text,
  status smallint,
  body text,
  PRIMARY KEY (tenant, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);

CREATE TABLE business_clock (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  offset_ms bigint NOT NULL CHECK (offset_ms >= 0)
);
INSERT INTO business_clock (offset_ms) VALUES (0);

-- Completes a key in the caller's transaction, or makes that transaction fail: a request that was taken over meanwhile must
-- not leave an effect. STRICT: without a key (null) it does nothing, so that one prepared statement serves both.
CREATE FUNCTION complete_idempotency_key(of_tenant text, of_key text, of_holder text, with_status smallint, with_body text)
RETURNS boolean LANGUAGE plpgsql STRICT AS $$
BEGIN
  UPDATE idempotency_keys SET status = with_status, body = with_body
   WHERE tenant = of_tenant AND key = of_key AND holder = of_holder AND status IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the idempotency key was taken over' USING ERRCODE = 'FR001';
  END IF;
  RETURN true;
END $$;
`;

/** The tables of service-kit and of messaging as release 0.1 left them, in each service's database (decision 0045). */
class KitBaseline1700001000000 extends Baseline {
  static readonly replaces = [
    'ServiceKitTables1700000000000',
    'DueWorkTraces1700000010000',
    'DueWorkByKind1700000020000',
    'Reconciliation1700000040000',
    'ParkedEventsByAge1700000045000',
    'WholeRuns1700000056000',
    'FindingsCounted1700000056001',
  ];

  async up(runner: QueryRunner): Promise<void> {
    for (const text of [tables, messagingMigrationSql, reconciliationTables]) await runner.query(text);
  }
}

/**
 * Keys age by wall time. In a sandbox with a moved clock their times were in the future, so they would stay too long. Elsewhere both
 * clocks are the same, and no row changes.
 */
class KeysByWallTime1700001070001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('UPDATE idempotency_keys SET created_at = now() WHERE created_at > now()');
  }

  /** The previous release reads the changed rows too. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** The kit's migrations, the first in every service's list. */
export const serviceKitMigrations = [
  KitBaseline1700001000000,
  DatabaseUse1700001040000,
  HashingSecrets1700001040002,
  KeysByWallTime1700001070001,
  OverrideIssue1700001070002,
  UnchangedWork1700001080003,
] as const;
