import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What collect requests, the hosted page and SDKs need in a payment (PAGE-2, PAY-12).
 * - collect_sent_at: when the provider accepted the collect request; its five minutes start then.
 * - checkout_order_id: the provider's order, under which the investor may try more than once.
 * - token_*: the single use of `token_url`; page_session_hash: hash of the cookie that may open the page again.
 * - mf_investment_account: SDK options are prefilled with its contacts; null on payments created before this migration.
 */
const up = `
ALTER TABLE payments
  ADD COLUMN collect_sent_at timestamptz,
  ADD COLUMN checkout_order_id text,
  ADD COLUMN token_expires_at timestamptz,
  ADD COLUMN token_used_at timestamptz,
  ADD COLUMN page_session_hash text,
  ADD COLUMN sdk_options_offered boolean NOT NULL DEFAULT false,
  ADD COLUMN bank_code text,
  ADD COLUMN mf_investment_account text,
  ADD CONSTRAINT payments_token_used CHECK ((token_used_at IS NULL) = (page_session_hash IS NULL));
`;

const COLUMNS = [
  'collect_sent_at',
  'checkout_order_id',
  'token_expires_at',
  'token_used_at',
  'page_session_hash',
  'sdk_options_offered',
  'bank_code',
  'mf_investment_account',
];

export class Checkout1700000000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    const drops = COLUMNS.map((column) => `DROP COLUMN ${column}`).join(', ');
    await runner.query(`ALTER TABLE payments DROP CONSTRAINT payments_token_used, ${drops}`);
  }
}
