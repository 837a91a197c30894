import type { PersonalTable } from '@fundrail/service-kit';

const OF_PERSON = 't.tenant = $1 AND t.mf_investment_account = ANY ($3)';

/** What orders stores about an investor (INV-19). Folios, references and amounts stay. */
export const ORDERS_PERSONAL: readonly PersonalTable[] = [
  {
    table: 'mf_orders',
    of: OF_PERSON,
    erased: {
      consent: `t.consent || '{"email": null, "isd_code": null, "mobile": null}'`,
      user_ip: 'NULL',
    },
    live: `t.state NOT IN ('successful', 'failed', 'cancelled', 'reversed')`,
    ordered: 't.created_at',
    subject: `CASE t.kind WHEN 'purchase' THEN 'mf_purchase:' ELSE 'mf_redemption:' END || t.id`,
  },
  {
    table: 'mf_order_history',
    of: `t.old_id IN (SELECT t.old_id FROM mf_orders t WHERE ${OF_PERSON})`,
    erased: {},
    processed: 't.at',
  },
];
