import { SqlMigration } from '@fundrail/service-kit/db';

/**
 * - erasures: at most one for an investor; `erased` is its proof (INV-17).
 * - investor_profiles.erasure: null while the investor may be served. `changed_at` is when contacts or folio defaults last changed.
 */
export class Erasures1900000000121 extends SqlMigration {
  protected readonly forward = `
ALTER TABLE investor_profiles
  ADD COLUMN erasure text CHECK (erasure IN ('running', 'done')),
  ADD COLUMN changed_at timestamptz;
CREATE TABLE erasures (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  profile text NOT NULL,
  state text NOT NULL CONSTRAINT erasures_state CHECK (state IN ('scheduled', 'running', 'done')),
  due_on date NOT NULL,
  kept jsonb NOT NULL,
  erased jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  done_at timestamptz,
  UNIQUE (tenant, profile),
  FOREIGN KEY (tenant, profile) REFERENCES investor_profiles (tenant, id),
  CONSTRAINT erasures_done CHECK ((state = 'done') = (done_at IS NOT NULL))
);
`;
  protected readonly back =
    'DROP TABLE erasures; ALTER TABLE investor_profiles DROP COLUMN erasure, DROP COLUMN changed_at';
}
