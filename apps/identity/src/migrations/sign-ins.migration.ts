import type { MigrationInterface, QueryRunner } from 'typeorm';

// The key is a hash: client ids and addresses are not stored.
const up = `
CREATE TABLE sign_ins (
  key text PRIMARY KEY,
  at timestamptz NOT NULL
);
CREATE INDEX sign_ins_at ON sign_ins (at);
`;

/** The addresses from which clients have signed in. There, another client's wrong secrets do not slow them. Times are wall time. */
export class SignIns1700001040003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_ins');
  }
}
