import { parseJson } from './json.ts';
import {
  cancelMfPurchasePlan,
  createMfPurchasePlan,
  createMfPurchasePlans,
  listMfPurchasePlans,
  mfPurchasePlan,
  pauseMfPurchasePlan,
  UNPAID_TOO_OFTEN,
} from './mf-purchase-plan.dto.ts';

const HEX = '019b8c5a01007d3e8a2b1c4d5e6f7091';

const plan = {
  mf_investment_account: `mfia_${HEX}`,
  scheme: 'INF846K01EW2',
  amount: 1000,
  systematic: true,
  frequency: 'monthly',
  installment_day: 6,
  number_of_installments: 12,
};
const STEP = { type: 'percentage', value: 10.05, frequency: 'yearly' };

/** The invalid fields of a refused body; `[]` when it is accepted. */
function blame(changes: object): string[] {
  const read = createMfPurchasePlan.safeParse(parseJson(JSON.stringify({ ...plan, ...changes })));
  return read.error?.issues.map(({ path, message }) => path.join('.') || message) ?? [];
}

describe('the body of a creation (SIP-2 to SIP-4, SIP-19)', () => {
  it.each([
    ['a monthly plan', {}],
    ['a mandate as a text', { payment_method: 'mandate', payment_source: '1001' }],
    ['a daily plan without a day', { frequency: 'daily', installment_day: null }],
    ['a Friday', { frequency: 'day_in_a_week', installment_day: 5 }],
    ['day 28 of a quarter', { frequency: 'quarterly', installment_day: 28 }],
    ['per cent with two decimals', { step_up: STEP }],
    ['a hundred per cent, up to an amount', { step_up: { ...STEP, value: 100, max_amount: 1000.01 } }],
    ['a purpose', { purpose: 'children_education' }],
    ['its day and number as digits (CONV-40)', { installment_day: '6', number_of_installments: '12' }],
  ])('takes %s', (_what, changes) => {
    expect(blame(changes)).toEqual([]);
  });

  it.each([
    [{ installment_day: 29 }, ['installment_day']],
    [{ installment_day: 0 }, ['installment_day']],
    [{ installment_day: '29' }, ['installment_day']],
    [{ installment_day: '06' }, ['installment_day']],
    [{ installment_day: '' }, ['installment_day']],
    [{ number_of_installments: '1201' }, ['number_of_installments']],
    [{ installment_day: null }, ['installment_day']],
    [{ frequency: 'daily' }, ['installment_day']],
    [{ frequency: 'day_in_a_fortnight', installment_day: 6 }, ['installment_day']],
    [{ frequency: 'twice_a_month' }, ['frequency']],
    [{ systematic: false }, ['systematic']],
    [{ auto_generate_installments: false }, ['auto_generate_installments']],
    [{ number_of_installments: 1201 }, ['number_of_installments']],
    [{ amount: 1000.001 }, ['amount']],
    [{ payment_source: 1001 }, ['payment_method']],
    [{ payment_method: 'mandate' }, ['payment_source']],
    [{ purpose: 'yacht' }, ['purpose']],
    [{ step_up: { ...STEP, value: 0.99 } }, ['step_up.value']],
    [{ step_up: { ...STEP, value: 100.01 } }, ['step_up.value']],
    [{ step_up: { ...STEP, max_amount: 1000 } }, ['step_up.max_amount']],
    [{ step_up: { ...STEP, frequency: 'half_yearly' }, frequency: 'half_yearly' }, ['step_up.frequency']],
    [{ step_up: STEP, frequency: 'daily', installment_day: null }, ['step_up']],
  ])('refuses %j and names %j', (changes, fields) => {
    expect(blame(changes)).toEqual(fields);
  });

  it('has the numbers of its digits, as a pause has (CONV-40)', () => {
    const digits = { installment_day: '6', number_of_installments: '12' };
    expect(createMfPurchasePlan.parse({ ...plan, ...digits })).toEqual(createMfPurchasePlan.parse(plan));
    expect(pauseMfPurchasePlan.parse({ installments: '2' })).toEqual({ installments: 2 });
  });

  it('says why a daily plan has no day', () => {
    const read = createMfPurchasePlan.safeParse({ ...plan, frequency: 'daily' });
    expect(read.error?.issues[0]?.message).toBe('should be null for the given frequency');
  });
});

it('a batch is of one account, and has 1 to 10 plans (SIP-8)', () => {
  const isTaken = (plans: object[]) => createMfPurchasePlans.safeParse({ mf_purchase_plans: plans }).success;
  const other = { ...plan, mf_investment_account: `mfia_${HEX.replace('0', '1')}` };
  expect([isTaken([]), isTaken([plan, plan]), isTaken([plan, other])]).toEqual([false, true, false]);
  expect(isTaken(Array.from({ length: 11 }, () => plan))).toBe(false);
});

it('a client cannot give the code by which a plan ends itself (SIP-18)', () => {
  const codes = ['invest_later', UNPAID_TOO_OFTEN, 'custom_reason'];
  const taken = codes.map(
    (cancellation_code) => cancelMfPurchasePlan.safeParse({ id: `mfpp_${HEX}`, cancellation_code }).success,
  );
  expect(taken).toEqual([true, false, false]);
});

it('a list is filtered by the mandate too', () => {
  expect(listMfPurchasePlans.parse({ payment_source: '1001', states: 'active,failed' })).toMatchObject({
    ...{ payment_source: 1001, states: ['active', 'failed'], limit: 100 },
  });
  expect(listMfPurchasePlans.safeParse({ payment_source: 'x' }).success).toBe(false);
});

it('reads a plan of an event from before `held_step_up`', () => {
  expect(mfPurchasePlan.shape.held_step_up.parse(undefined)).toBeNull();
});
