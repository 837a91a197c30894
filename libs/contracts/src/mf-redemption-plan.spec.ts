import { parseJson } from './json.ts';
import {
  createMfRedemptionPlan,
  listMfRedemptionPlans,
  patchMfRedemptionPlan,
} from './mf-redemption-plan.dto.ts';
import { createSkipInstruction } from './skip-instruction.dto.ts';

const HEX = '019b8c5a01007d3e8a2b1c4d5e6f7082';

const plan = {
  mf_investment_account: `mfia_${HEX}`,
  scheme: 'INF846K01EW2',
  systematic: true,
  frequency: 'monthly',
  installment_day: 5,
  number_of_installments: 12,
};

/** What is to blame for a refusal; `[]` when nothing is. */
function blame(changes: object): string[] {
  const text = JSON.stringify({ ...plan, amount: 5000, ...changes });
  const read = createMfRedemptionPlan.safeParse(parseJson(text));
  return read.error?.issues.map(({ path }) => path.join('.')) ?? [];
}

describe('the body of a creation', () => {
  it.each([
    ['an amount', {}],
    ['units', { amount: undefined, units: 10.1234 }],
    ['neither: all', { amount: undefined }],
    ['null for both', { amount: null, units: null }],
    ['a mandate as a text', { payment_method: 'mandate', payment_source: '1001' }],
    ['a mandate as a number', { payment_method: 'mandate', payment_source: 1001 }],
    ['day 28', { installment_day: 28 }],
    ['1200 installments', { number_of_installments: 1200 }],
  ])('takes %s', (_what, changes) => {
    expect(blame(changes)).toEqual([]);
  });

  it.each([
    ['systematic', { systematic: false }],
    ['frequency', { frequency: 'weekly' }],
    ['installment_day', { installment_day: 29 }],
    ['installment_day', { installment_day: 0 }],
    ['number_of_installments', { number_of_installments: 1201 }],
    ['number_of_installments', { number_of_installments: 0 }],
    ['amount', { amount: 10.123 }],
    ['units', { amount: undefined, units: 0 }],
    ['units', { units: 10 }],
    ['units', { amount: undefined, units: 10, payment_method: 'mandate', payment_source: '1' }],
    ['amount', { amount: undefined, payment_method: 'mandate', payment_source: '1' }],
    ['payment_source', { payment_method: 'mandate' }],
    ['payment_method', { payment_source: '1' }],
    ['payment_source', { payment_method: 'mandate', payment_source: 'man_1' }],
    [
      'generate_first_installment_now',
      { auto_generate_installments: false, generate_first_installment_now: true },
    ],
    ['scheme', { scheme: 'INE009A01021' }],
  ])('blames %s for %j', (field, changes) => {
    expect(blame(changes)).toEqual([field]);
  });

  it('says why the 29th is refused', () => {
    const { error } = createMfRedemptionPlan.safeParse({ ...plan, installment_day: 29 });

    expect(error?.issues[0]?.message).toContain('registrars take no installments');
  });
});

it("takes the upstream's form of a plan's id for the same plan", () => {
  expect(patchMfRedemptionPlan.parse({ id: `mfrp_${HEX}`, state: 'confirmed' }).id).toBe(`mfr_${HEX}`);
  expect(listMfRedemptionPlans.parse({ starting_after: `mfrp_${HEX}` }).starting_after).toBe(`mfr_${HEX}`);
  expect(patchMfRedemptionPlan.safeParse({ id: `mfp_${HEX}`, state: 'confirmed' }).success).toBe(false);
});

it('takes consent and state in one PATCH, and refuses a PATCH of nothing', () => {
  const consent = { email: 'asha.rao@example.com' };

  expect(patchMfRedemptionPlan.safeParse({ id: `mfr_${HEX}`, state: 'confirmed', consent }).success).toBe(
    true,
  );
  expect(patchMfRedemptionPlan.safeParse({ id: `mfr_${HEX}`, consent }).success).toBe(true);
  expect(patchMfRedemptionPlan.safeParse({ id: `mfr_${HEX}` }).success).toBe(false);
});

it('refuses a skip that ends before it begins', () => {
  expect(createSkipInstruction.safeParse({ from: '2026-12-05', to: '2026-12-04' }).success).toBe(false);
  expect(createSkipInstruction.safeParse({ from: '2026-12-05', to: '2026-12-05' }).success).toBe(true);
  expect(createSkipInstruction.safeParse({ from: '2026-12-05' }).success).toBe(true);
});
