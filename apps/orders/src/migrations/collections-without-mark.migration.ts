import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An installment whose submission is due may have been sent before its row could record that, so the gateway is asked (decision
 * 0030). Runs in a separate transaction, so that the ALTER before it blocks readers only briefly. Existing marks stay: in some
 * databases the ALTER's migration has written them already.
 */
export class CollectionsWithoutMark1900000000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE mf_orders o SET submission_called_at = o.collected_at, submission_over_at = o.collected_at
        FROM due_work w
       WHERE w.kind = 'installment.submit' AND w.key = o.id AND o.state = 'confirmed' AND o.collected_at IS NOT NULL
         AND o.submission_called_at IS NULL`);
  }

  /** The mark stays: its only effect is one more question to the gateway than needed. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}
