import type { PersonalTable } from '@fundrail/service-kit';

const OF_PERSON = 't.tenant = $1 AND t.bank_account_id = ANY ($4)';
const OF_MANDATES = `t.mandate_id IN (SELECT t.id FROM mandates t WHERE ${OF_PERSON})`;

/** What mandates stores about an investor (INV-19): references and amounts, which stay. The provider's token is its secret. */
export const MANDATES_PERSONAL: readonly PersonalTable[] = [
  {
    table: 'mandates',
    of: OF_PERSON,
    erased: {},
    // One without an authorisation never ends, and cannot be cancelled. A running authorisation is a payment.
    live: `t.mandate_status NOT IN ('CREATED', 'REJECTED', 'CANCELLED', 'EXPIRED')`,
    processed: 't.created_at',
    subject: `'mandate:' || t.id`,
    secret: ['mandate_token'],
  },
  {
    table: 'mandate_debits',
    of: OF_MANDATES,
    erased: {},
    live: `t.state IN ('admitted', 'notifying', 'planned', 'attempting')`,
    processed: 'coalesce(t.ended_at, t.admitted_at)',
  },
  {
    table: 'mandate_revocations',
    of: OF_MANDATES,
    erased: {},
    live: 't.revoked_at IS NULL',
    processed: 'coalesce(t.revoked_at, t.requested_at)',
    secret: ['mandate_token'],
  },
  { table: 'mandate_history', of: OF_MANDATES, erased: {}, processed: 't.at' },
];
