import { SqlMigration } from '@fundrail/service-kit/db';

/** Phone numbers, e-mail addresses, addresses and related parties of profiles; and folio defaults that name them. */
export class ProfileDetails1900000000096 extends SqlMigration {
  protected readonly forward = `
CREATE TABLE profile_details (
  id text PRIMARY KEY,
  tenant text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('phone_number', 'email_address', 'address', 'related_party')),
  profile text NOT NULL,
  content_encrypted text NOT NULL,
  created_at timestamptz NOT NULL,
  FOREIGN KEY (tenant, profile) REFERENCES investor_profiles (tenant, id)
);
CREATE INDEX profile_details_kind ON profile_details (tenant, kind, id);
CREATE INDEX profile_details_profile ON profile_details (tenant, profile, kind, id);
ALTER TABLE mf_investment_accounts ADD COLUMN further_defaults jsonb;
`;
  protected readonly back =
    'DROP TABLE profile_details; ALTER TABLE mf_investment_accounts DROP COLUMN further_defaults';
}
