import { SqlMigration } from '@fundrail/service-kit/db';

/** The audit records the tenant that was acted on beside the operator's own, and refusals with their counts. */
export class OperatorCalls1700001040001 extends SqlMigration {
  // `tenant` and `client_id` are null if a call was refused without a valid token.
  protected readonly forward = `
ALTER TABLE audit_entries ADD COLUMN acted_in text, ADD COLUMN times integer NOT NULL DEFAULT 1;
ALTER TABLE audit_entries ALTER COLUMN tenant DROP NOT NULL, ALTER COLUMN client_id DROP NOT NULL;
`;
  protected readonly back = 'ALTER TABLE audit_entries DROP COLUMN acted_in, DROP COLUMN times';
}
