import { Decimal, type HeldStepUp, type StepUp } from '@fundrail/contracts';
import { addMonths } from './schedule.ts';
import { nextAmount, steppedUp, stepsUntil, type StepUpTerms } from './step-up.ts';

const rupees = (text: string) => Decimal.parse(text);

const terms = (changes: Partial<StepUpTerms> = {}): StepUpTerms => ({
  ...{ amount: rupees('1000'), step_up_type: 'amount', step_up_value: rupees('500'), steps_passed: 0 },
  ...{ step_up_frequency: 'half_yearly', step_up_max: null, mandate_limit: null },
  ...{ first_by_day: '2027-01-06', next_nominal: '2027-01-06', ...changes },
});

/** The amounts of a monthly plan's installments, as generation would take them. */
function amountsOf(start: StepUpTerms, installments: number): string[] {
  let course = start;
  return Array.from({ length: installments }, (_, index) => {
    course = { ...course, next_nominal: addMonths('2027-01-06', index) };
    const plain = nextAmount({ ...course, mandate_limit: null }).amount;
    const { amount, held } = nextAmount(course);
    const isStep = held !== null || !plain.equals(course.amount);
    course = { ...course, amount, steps_passed: course.steps_passed + Number(isStep) };
    return String(amount.wholePart());
  });
}
const times = (count: number, amount: string) => Array.from({ length: count }, () => amount);

describe('a step-up (SIP-19 to SIP-21)', () => {
  it('adds rupees every half year, up to its greatest amount for good', () => {
    expect(amountsOf(terms({ step_up_max: rupees('1800') }), 14)).toEqual([
      ...times(6, '1000'),
      ...times(6, '1500'),
      ...times(2, '1800'),
    ]);
  });

  it('adds per cent of the amount before, down to a whole rupee', () => {
    const yearly = { step_up_frequency: 'yearly', step_up_type: 'percentage' } as const;
    expect(amountsOf(terms({ ...yearly, step_up_value: rupees('10.05') }), 36)).toEqual([
      ...times(12, '1000'),
      ...times(12, '1100'),
      ...times(12, '1210'),
    ]);
  });

  it('above the mandate’s limit is not taken and not made up', () => {
    const limited = terms({ mandate_limit: rupees('1200') });
    expect(amountsOf(limited, 13)).toEqual(times(13, '1000'));
    const sevenths = { ...limited, next_nominal: '2027-07-06' };
    expect(nextAmount(sevenths)).toEqual({
      amount: rupees('1000'),
      held: { amount: rupees('1500'), mandate_limit: rupees('1200') },
    });
    const replaced = {
      ...sevenths,
      mandate_limit: rupees('15000'),
      steps_passed: 1,
      next_nominal: '2028-01-06',
    };
    expect(nextAmount(replaced)).toEqual({ amount: rupees('1500'), held: null });
  });

  it.each<[string, Partial<StepUpTerms>, HeldStepUp | null]>([
    [
      'up to its greatest amount, above the limit',
      { amount: rupees('1500') },
      { amount: rupees('1800'), mandate_limit: rupees('1200') },
    ],
    ['that adds nothing at its greatest amount', { amount: rupees('1800') }, null],
    [
      'that a whole rupee swallows',
      {
        amount: rupees('1800.5'),
        step_up_type: 'percentage',
        step_up_value: rupees('0.01'),
        step_up_max: null,
      },
      null,
    ],
  ])('%s, with a limit that the investor has lowered below the amount', (_what, changes, held) => {
    const lowered = {
      step_up_max: rupees('1800'),
      mandate_limit: rupees('1200'),
      next_nominal: '2027-07-06',
    };
    const at = terms({ ...lowered, ...changes });
    expect(nextAmount(at)).toEqual({ amount: at.amount, held });
  });

  it.each<[string, string, Omit<StepUp, 'frequency'>, string]>([
    ['of one rupee', '999.5', { type: 'amount', value: rupees('1'), max_amount: null }, '1000.5000'],
    [
      'of one per cent that a whole rupee swallows',
      '10.5',
      { type: 'percentage', value: rupees('1'), max_amount: null },
      '10.5000',
    ],
    ['of one per cent', '50.75', { type: 'percentage', value: rupees('1'), max_amount: null }, '51.0000'],
    [
      'of a hundred per cent',
      '250',
      { type: 'percentage', value: rupees('100'), max_amount: null },
      '500.0000',
    ],
    [
      'above the greatest amount',
      '250',
      { type: 'percentage', value: rupees('100'), max_amount: rupees('400') },
      '400.0000',
    ],
    [
      'above the largest amount of an order',
      '60000000000',
      { type: 'percentage', value: rupees('100'), max_amount: null },
      '100000000000.0000',
    ],
  ])('%s', (_what, before, step, after) => {
    expect(steppedUp(rupees(before), step).toString()).toBe(after);
  });

  it('comes on the last day of a month that lacks its day', () => {
    const at = (next_nominal: string) =>
      nextAmount(terms({ first_by_day: '2027-08-31', next_nominal })).amount;
    expect(at('2028-02-28')).toEqual(rupees('1000'));
    expect(at('2028-02-29')).toEqual(rupees('1500'));
  });

  it('is none without an installment to come, and before its date', () => {
    expect(nextAmount(terms({ next_nominal: null })).amount).toEqual(rupees('1000'));
    expect(nextAmount(terms({ next_nominal: '2027-07-05' })).amount).toEqual(rupees('1000'));
    expect(nextAmount(terms({ next_nominal: '2027-07-06' })).amount).toEqual(rupees('1500'));
  });
});

it.each([
  ['2027-07-05', 'half_yearly', 0],
  ['2027-07-06', 'half_yearly', 1],
  ['2028-01-05', 'half_yearly', 1],
  ['2028-01-06', 'half_yearly', 2],
  ['2028-01-06', 'yearly', 1],
] as const)('until %s a %s grid has passed %i steps', (day, frequency, passed) => {
  expect(stepsUntil(day, '2027-01-06', frequency)).toBe(passed);
});
