import { recountDeadlines } from '@fundrail/service-kit/holidays';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recomputes `order_expiry` of waiting orders, because years without a list now have the national holidays (CONV-34, CONV-35). */
export class RecountedExpiries1900000000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await recountDeadlines(runner, 'order.expire');
  }

  /** The deadlines change back with the next list of their year. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
