import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Razorpay has no idempotency key for the order of a debit, so two orders with one receipt are possible. */
export class RepeatedDebits1700000000720 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sdk_orders
        ADD COLUMN repeats boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT sdk_orders_receipt_key;
      CREATE UNIQUE INDEX sdk_orders_receipt ON sdk_orders (receipt) WHERE NOT repeats;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX sdk_orders_receipt;
      UPDATE sdk_orders SET receipt = id WHERE repeats;
      ALTER TABLE sdk_orders ADD CONSTRAINT sdk_orders_receipt_key UNIQUE (receipt), DROP COLUMN repeats;
    `);
  }
}
