import { recountDeadlines } from '@fundrail/service-kit/holidays';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Computes again how long the waiting debits wait for their orders: since this version, years without a holiday list have the
 * national holidays (CONV-34, CONV-35).
 */
export class RecountedDebits1900000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await recountDeadlines(runner, 'debit.unconfirmed');
  }

  /** Nothing to undo: the next holiday list of their year sets the deadlines. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
