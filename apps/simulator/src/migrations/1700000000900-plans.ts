import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Redemption plans at the simulated gateway (docs/specification/withdrawal-plans.md). */
export class Plans1700000000900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway_plans (
        reference text PRIMARY KEY,
        tenant text NOT NULL,
        old_id bigint NOT NULL,
        number_of_installments integer NOT NULL,
        review text NOT NULL CHECK (review IN ('in_review', 'passed', 'rejected')),
        registration text NOT NULL CHECK (registration IN ('none', 'in_progress', 'registered')),
        failure_code text,
        created_at timestamptz NOT NULL,
        CONSTRAINT gateway_plans_in_order CHECK (registration = 'none' OR review = 'passed')
      );
      ALTER TABLE callbacks
        DROP CONSTRAINT callbacks_topic_check,
        ADD CONSTRAINT callbacks_topic_check
          CHECK (topic IN ('orders', 'payments', 'mandates', 'plans', 'sdkvendor'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM callbacks WHERE topic = 'plans';
      ALTER TABLE callbacks
        DROP CONSTRAINT callbacks_topic_check,
        ADD CONSTRAINT callbacks_topic_check CHECK (topic IN ('orders', 'payments', 'mandates', 'sdkvendor'));
      DROP TABLE gateway_plans;
    `);
  }
}
