import { createMfPurchasePlan, Decimal } from '@fundrail/contracts';
import { activate, passReview, submit, type Plan } from '../plan/plan.ts';
import { createPurchasePlan } from '../purchase-plan/purchase-plan.ts';
import { ACCOUNT, CONSENT, INVESTOR, MANDATE } from './plan.builder.ts';

/** Monday, 4 January 2027, 10:00 IST. */
export const MONDAY = new Date('2027-01-04T10:00:00.000+05:30');

/** The body of a creation: ₹1,000 on the 6th, 12 times, by mandate. */
export function aPurchasePlanBody(changes: object = {}): object {
  return {
    mf_investment_account: ACCOUNT,
    scheme: 'INF846K01EW2',
    amount: 1000,
    systematic: true,
    frequency: 'monthly',
    installment_day: 6,
    number_of_installments: 12,
    payment_method: 'mandate',
    payment_source: String(MANDATE),
    consent: CONSENT,
    ...changes,
  };
}

/** An active plan of that body, as its first installment is to come on 6 January 2027. */
export function aPurchasePlan(changes: Partial<Plan> = {}, body: object = {}): Plan {
  const origin = { id: 'mfpp_1', old_id: 1, tenant: 'demo', investor_profile: INVESTOR, known_years: [2027] };
  const input = createMfPurchasePlan.parse(aPurchasePlanBody(body));
  const created = createPurchasePlan(input, {
    ...origin,
    now: MONDAY,
    ...{ mandate_limit: input.payment_source ? Decimal.parse('15000') : null, mandate_seq: null },
  });
  const confirmed = passReview(created.row, MONDAY).at(-1)?.row ?? created.row;
  const first = {
    day: '2027-01-06',
    moved: '2027-01-06',
    generate_at: new Date('2027-01-06T00:05:00+05:30'),
  };
  return { ...activate(submit(confirmed, MONDAY).row, first, MONDAY).row, ...changes };
}
