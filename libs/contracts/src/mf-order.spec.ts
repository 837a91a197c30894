import { createMfPurchase } from './mf-purchase.dto.ts';
import { createMfRedemptionPlan } from './mf-redemption-plan.dto.ts';
import { createRedemptionOrInstallment } from './mf-redemption.dto.ts';

const order = {
  mf_investment_account: `mfia_${'1'.repeat(32)}`,
  scheme: 'INF173K01FE6',
  folio_number: '123/45',
  amount: 5000,
};
const schedule = { frequency: 'monthly', installment_day: 5, number_of_installments: 12 };
const plan = { ...order, ...schedule, systematic: true };

describe('a field of the upstream that has no effect here (ORD-31)', () => {
  it.each([
    ['a purchase', createMfPurchase, order, { server_ip: '203.0.113.7' }],
    [
      'a redemption',
      createRedemptionOrInstallment,
      order,
      { server_ip: '2001:db8::1', redemption_mode: 'normal' },
    ],
    ['a plan', createMfRedemptionPlan, plan, { server_ip: '203.0.113.7', purpose: 'retirement' }],
    [
      'a plan of a distributor',
      createMfRedemptionPlan,
      plan,
      { initiated_by: 'distributor', initiated_via: 'web' },
    ],
    ['an order with nulls', createRedemptionOrInstallment, order, { server_ip: null, redemption_mode: null }],
  ])('is taken with %s', (_what, schema, body, fields) => {
    expect(schema.safeParse({ ...body, ...fields }).error?.issues).toBeUndefined();
  });

  it.each([
    ['a purchase', createMfPurchase, order, { server_ip: 'localhost' }],
    ['a purchase', createMfPurchase, order, { redemption_mode: 'normal' }],
    ['a redemption', createRedemptionOrInstallment, order, { redemption_mode: 'instant' }],
    ['a plan', createMfRedemptionPlan, plan, { initiated_by: 'nobody' }],
    ['a plan', createMfRedemptionPlan, plan, { purpose: '' }],
  ])('is checked: %s', (_what, schema, body, fields) => {
    expect(schema.safeParse({ ...body, ...fields }).success).toBe(false);
  });
});
