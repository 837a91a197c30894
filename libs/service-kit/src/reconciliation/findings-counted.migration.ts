import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../db/create-index-concurrently.ts';

/** An index for counting the findings at each scrape. */
export class FindingsCounted1700000056001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'reconciliation_findings_counted',
      on: 'reconciliation_findings (run, kind, state)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX reconciliation_findings_counted`);
  }
}
