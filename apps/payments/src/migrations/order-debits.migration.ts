import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The debits that another service requested, one per order (`POST /internal/payments/debits`): the id of the payment, which may
 * not exist yet, or the refusal. A void id is replaced by a new one.
 */
const up = `
CREATE TABLE order_debits (
  tenant text NOT NULL,
  old_id bigint NOT NULL,
  order_id text NOT NULL,
  mandate_id bigint NOT NULL,
  payment_id bigint NOT NULL,
  refused_code text,
  refused_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, old_id),
  CONSTRAINT order_debits_refusal_is_whole CHECK ((refused_code IS NULL) = (refused_message IS NULL))
);
`;

export class OrderDebits1700000000360 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE order_debits');
  }
}
