/**
 * The tables of reconciliation (decision 0026), part of the kit's baseline.
 * - reconciliation_run: one row with the progress of the current or last run; all times are wall time. whole_at: when the last run
 *   without undone checks ended.
 * - reconciliation_seen: the entries of an outside system that a check has read in this run.
 * - reconciliation_findings: the disagreements of the last two runs.
 */
export const reconciliationTables = `
CREATE TABLE reconciliation_run (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  run integer NOT NULL DEFAULT 0,
  phase text NOT NULL DEFAULT 'idle' CHECK (phase IN ('idle', 'looking', 'again', 'last')),
  days integer NOT NULL DEFAULT 3 CHECK (days BETWEEN 1 AND 30),
  settle_ms integer NOT NULL DEFAULT 60000 CHECK (settle_ms >= 0),
  accept_lost_money boolean NOT NULL DEFAULT false,
  check_name text,
  cursor text,
  looked bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  undone jsonb NOT NULL DEFAULT '[]',
  due_at timestamptz,
  leased_until timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  whole_at timestamptz
);
INSERT INTO reconciliation_run DEFAULT VALUES;

CREATE TABLE reconciliation_seen (
  check_name text NOT NULL,
  key text NOT NULL,
  PRIMARY KEY (check_name, key)
);

CREATE TABLE reconciliation_findings (
  run integer NOT NULL,
  kind text NOT NULL,
  object text NOT NULL,
  check_name text NOT NULL,
  tenant text,
  facts jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('suspected', 'asked', 'open', 'repaired')),
  found_at timestamptz NOT NULL,
  PRIMARY KEY (run, kind, object)
);
-- For counting the findings at each scrape.
CREATE INDEX reconciliation_findings_counted ON reconciliation_findings (run, kind, state);
`;
