import { SqlMigration } from '@fundrail/service-kit/db';

/** The addresses from which clients have signed in. There, another client's wrong secrets do not slow them. Times are wall time. */
export class SignIns1700001040003 extends SqlMigration {
  // The key is a hash: client ids and addresses are not stored.
  protected readonly forward = `
CREATE TABLE sign_ins (
  key text PRIMARY KEY,
  at timestamptz NOT NULL
);
CREATE INDEX sign_ins_at ON sign_ins (at);
`;
  protected readonly back = 'DROP TABLE sign_ins';
}
