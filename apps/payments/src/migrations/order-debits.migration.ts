import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The debits that a neighbour has asked for, one an order (`POST /internal/payments/debits`): the id that its payment has or
 * will have, or the refusal. An id that became void gives way to a new one.
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
