import type { MigrationInterface, QueryRunner } from 'typeorm';

// Separate from the settings, which are read with each call: each browser needs the bytes only once.
const up = `
CREATE TABLE tenant_logos (
  tenant text PRIMARY KEY REFERENCES tenants (name),
  sha256 text NOT NULL,
  media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
  content bytea NOT NULL CHECK (octet_length(content) <= 65536)
);
`;

/** The logos that tenants show on the payer's page. */
export class TenantLogos1900000000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tenant_logos');
  }
}
