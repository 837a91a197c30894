import { SqlMigration } from '@fundrail/service-kit/db';

/** The logos that tenants show on the payer's page. */
export class TenantLogos1900000000021 extends SqlMigration {
  // Separate from the settings, which are read with each call: each browser needs the bytes only once.
  protected readonly forward = `
CREATE TABLE tenant_logos (
  tenant text PRIMARY KEY REFERENCES tenants (name),
  sha256 text NOT NULL,
  media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
  content bytea NOT NULL CHECK (octet_length(content) <= 65536)
);
`;
  protected readonly back = 'DROP TABLE tenant_logos';
}
