import { parseJson } from './json.ts';
import {
  cancelMfRedemptionPlan,
  createMfRedemptionPlan,
  listMfRedemptionPlans,
  mfRedemptionPlan,
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

/** The invalid fields of a refused body; `[]` when it is accepted. */
function blame(changes: object): string[] {
  const text = JSON.stringify({ ...plan, amount: 5000, ...changes });
  const read = createMfRedemptionPlan.safeParse(parseJson(text));
  return read.error?.issues.map(({ path }) => path.join('.')) ?? [];
}

describe('the body of a creation', () => {
  it.each([
    ['an amount', {}],
    ['units', { amount: undefined, units: 10.1234 }],
    ['a mandate as a text', { payment_method: 'mandate', payment_source: '1001' }],
    ['a mandate as a number', { payment_method: 'mandate', payment_source: 1001 }],
    ['day 28', { installment_day: 28 }],
    ['1200 installments', { number_of_installments: 1200 }],
    ['its day and number as digits (CONV-40)', { installment_day: '5', number_of_installments: '12' }],
  ])('takes %s', (_what, changes) => {
    expect(blame(changes)).toEqual([]);
  });

  it.each([
    ['systematic', { systematic: false }],
    ['frequency', { frequency: 'weekly' }],
    ['installment_day', { installment_day: 29 }],
    ['installment_day', { installment_day: 0 }],
    ['installment_day', { installment_day: '29' }],
    ['installment_day', { installment_day: '5.0' }],
    ['number_of_installments', { number_of_installments: 1201 }],
    ['number_of_installments', { number_of_installments: 0 }],
    ['amount', { amount: 10.123 }],
    ['amount', { amount: undefined }],
    ['amount', { amount: null, units: null }],
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
  ])('reports %s as invalid in %j (PLAN-2, PLAN-4, PLAN-30)', (field, changes) => {
    expect(blame(changes)).toEqual([field]);
  });

  it('states why the 29th is refused', () => {
    const { error } = createMfRedemptionPlan.safeParse({ ...plan, installment_day: 29 });

    expect(error?.issues[0]?.message).toContain('registrars do not accept installments');
  });
});

it("takes the upstream's form of a plan's id for the same plan (CONV-5)", () => {
  expect(patchMfRedemptionPlan.parse({ id: `mfrp_${HEX}`, state: 'confirmed' }).id).toBe(`mfr_${HEX}`);
  expect(listMfRedemptionPlans.parse({ starting_after: `mfrp_${HEX}` }).starting_after).toBe(`mfr_${HEX}`);
  expect(patchMfRedemptionPlan.safeParse({ id: `mfp_${HEX}`, state: 'confirmed' }).success).toBe(false);
});

it('accepts consent and state in one PATCH, and refuses an empty PATCH', () => {
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

it('a cancellation has one of eleven codes, and custom_reason needs its reason (PLAN-10)', () => {
  const codes =
    'amount_not_available investment_returns_not_as_expected exit_load_not_as_expected switch_to_other_scheme fund_manager_changed investment_goal_complete mandate_not_ready invest_later customer_support_not_satisfactory amc_support_not_satisfactory custom_reason';
  expect(cancelMfRedemptionPlan.shape.cancellation_code.options).toEqual(codes.split(' '));
  const accepts = (body: object) => cancelMfRedemptionPlan.safeParse(body).success;
  expect(accepts({ cancellation_code: 'invest_later' })).toBe(true);
  expect(accepts({ cancellation_code: 'custom_reason' })).toBe(false);
  expect(accepts({ cancellation_code: 'custom_reason', cancellation_reason: 'moving house' })).toBe(true);
});

it('a plan has the fields of the specification and no others (PLAN-5)', () => {
  const fields =
    'object, id, old_id, state, systematic, frequency, installment_day, mf_investment_account, folio_number, scheme, amount, units, number_of_installments, remaining_installments, start_date, end_date, next_installment_date, previous_installment_date, auto_generate_installments, consent, payment_method, payment_source, gateway, source_ref_id, euin, partner, user_ip, cancellation_code, reason, created_at, review_completed_at, confirmed_at, submitted_at, activated_at, completed_at, cancelled_at, failed_at, calendar_warning';
  expect(Object.keys(mfRedemptionPlan.shape).sort()).toEqual(fields.split(', ').sort());
});
