import type { PersonalTable } from '@fundrail/service-kit';

const OF_PERSON = 't.tenant = $1 AND t.mf_investment_account = ANY ($3)';
const OF_PLANS = `t.plan_id IN (SELECT t.id FROM redemption_plans t WHERE ${OF_PERSON})`;
const CONSENT = `t.consent || '{"email": null, "isd_code": null, "mobile": null}'`;

/** What plans stores about an investor (INV-19). Folios, references, days and amounts stay. */
export const PLANS_PERSONAL: readonly PersonalTable[] = [
  {
    table: 'redemption_plans',
    of: OF_PERSON,
    erased: {
      consent: CONSENT,
      user_ip: 'NULL',
      // The client's own words; otherwise it is a code of ours.
      reason: `CASE t.state WHEN 'cancelled' THEN NULL ELSE t.reason END`,
    },
    live: `t.state NOT IN ('completed', 'cancelled', 'failed')`,
    subject: `CASE t.kind WHEN 'purchase' THEN 'mf_purchase_plan:' ELSE 'mf_redemption_plan:' END || t.id`,
  },
  { table: 'redemption_plan_history', of: OF_PLANS, erased: { consent: CONSENT }, processed: 't.at' },
  { table: 'plan_courses', of: OF_PLANS, erased: {} },
  { table: 'plan_installments', of: OF_PLANS, erased: {} },
  { table: 'skip_instructions', of: OF_PLANS, erased: {} },
];
