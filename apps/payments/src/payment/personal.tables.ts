import type { PersonalTable } from '@fundrail/service-kit';

const OF_PERSON = 't.tenant = $1 AND t.from_bank_account_id = ANY ($4)';
const OF_PAYMENTS = `t.payment_id IN (SELECT t.id FROM payments t WHERE ${OF_PERSON})`;

/** What payments stores about an investor (INV-19). References and amounts stay. */
export const PAYMENTS_PERSONAL: readonly PersonalTable[] = [
  {
    table: 'payments',
    of: OF_PERSON,
    // Without a UPI ID the value is null already, and stays so where there is no UPI at all.
    erased: { upi: `t.upi || '{"vpa": null}'` },
    // An authorisation ends with its success; other payments are then transferred.
    live: `t.status IN ('PENDING', 'SUBMITTED', 'INITIATED') OR t.status = 'SUCCESS' AND t.payment_type <> 'AUTH_TRANSACTION'`,
    subject: `'payment:' || t.id`,
  },
  // The client's own name for an order may be a person's.
  { table: 'payment_orders', of: OF_PAYMENTS, erased: { display_name: 'NULL' } },
  {
    table: 'checkout_attempts',
    of: OF_PAYMENTS,
    // The masked UPI ID; otherwise it is a bank's code.
    erased: { shown: `CASE t.way WHEN 'netbanking' THEN t.shown END` },
  },
  {
    table: 'checkouts',
    of: OF_PAYMENTS,
    // Path and query are the client's own, and may name a person.
    erased: { postback_url: `regexp_replace(t.postback_url, '^([a-z]+://[^/?#]*).*$', '\\1')` },
    secret: ['session_hash'],
  },
  { table: 'upi_requests', of: OF_PAYMENTS, erased: {} },
  { table: 'refunds', of: OF_PAYMENTS, erased: {}, live: `t.status = 'CREATED'` },
  { table: 'captures', of: OF_PAYMENTS, erased: {} },
  { table: 'payment_history', of: OF_PAYMENTS, erased: {}, processed: 't.at' },
];
