import { SqlMigration } from '../db/sql-migration.ts';

/** Whether the last attempt of due work was answered, and nothing had changed: a move of the sandbox's clock need not stop for the next (CLOCK-12). */
export class UnchangedWork1700001080003 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE due_work ADD COLUMN unchanged boolean NOT NULL DEFAULT false';
  protected readonly back = 'ALTER TABLE due_work DROP COLUMN unchanged';
}
