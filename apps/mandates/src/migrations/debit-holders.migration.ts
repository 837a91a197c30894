import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const HOLDS = `state IN ('admitted', 'notifying', 'planned', 'attempting', 'succeeded')`;

/** At most one live or successful debit of an order under a mandate, with the states that debits have since this release. */
export class DebitHolders1900000000061 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'mandate_debits_one_holder',
      on: `mandate_debits (mandate_id, old_id) WHERE ${HOLDS}`,
      unique: true,
    });
    await dropIndexConcurrently(runner, 'mandate_debits_one_live');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX mandate_debits_one_live ON mandate_debits (mandate_id, old_id) WHERE state IN ('admitted', 'succeeded')`,
    );
    await runner.query('DROP INDEX mandate_debits_one_holder');
  }
}
