import { SqlMigration } from '../db/sql-migration.ts';

/** The secret of `HashingSecret` in each service's database. One row. */
export class HashingSecrets1700001040002 extends SqlMigration {
  protected readonly forward =
    'CREATE TABLE hashing_secrets (name text PRIMARY KEY, secret_encrypted text NOT NULL)';
  protected readonly back = 'DROP TABLE hashing_secrets';
}
