import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * checkout_attempts: the attempts to pay that were started from the hosted page, so that a reload shows the same QR code and a
 * running attempt blocks the other ways to pay. `shown` is the masked UPI ID or the bank's code: the UPI ID itself is not stored.
 */
const up = `
CREATE TABLE checkout_attempts (
  payment_id bigint NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  tenant text NOT NULL,
  way text NOT NULL CHECK (way IN ('intent', 'collect', 'netbanking')),
  shown text,
  address text,
  failure_code text,
  started_at timestamptz NOT NULL,
  laid_aside_at timestamptz,
  PRIMARY KEY (payment_id, number),
  CONSTRAINT checkout_attempts_refused_has_no_address CHECK (address IS NULL OR failure_code IS NULL)
);
`;

export class CheckoutAttempts1700000000330 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE checkout_attempts');
  }
}
