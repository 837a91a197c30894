import type { PlanFrequency } from '@fundrail/contracts';
import { aPurchasePlan } from '../testing/purchase-plan.builder.ts';
import { failuresAllowed, outcomeOf, stepsAfterEnd, type CountedEnd } from './installment-end.ts';

const NOW = new Date('2027-03-14T23:00:00.000+05:30');
const end = (changes: Partial<CountedEnd> = {}): CountedEnd => ({
  ...{ outcome: 'unpaid', failed: 1, folio_number: null, isAnyOpen: false, ...changes },
});
const after = (row: Parameters<typeof stepsAfterEnd>[0], changes: Partial<CountedEnd> = {}) => {
  const steps = stepsAfterEnd(row, end(changes), NOW);
  return {
    events: steps.flatMap(({ events }) => events.map((type) => type.split('.')[1])),
    row: steps.at(-1)?.row,
  };
};

describe('how a purchase ended (SIP-16, SIP-17)', () => {
  it.each([
    ['successful', null, 'successful'],
    ['reversed', 'cheque_bounced', 'successful'],
    ['failed', 'mandate_payment_failed', 'unpaid'],
    ['failed', 'order_expiry', 'unpaid'],
    ['failed', 'payment_url_unused', 'unpaid'],
    ['failed', 'registrar_refused', 'other'],
    ['failed', null, 'other'],
    ['cancelled', null, 'other'],
  ])('%s with %s counts as %s', (state, failure_code, outcome) => {
    expect(outcomeOf({ state, failure_code })).toBe(outcome);
  });
});

it.each<[PlanFrequency, number]>([
  ['daily', 3],
  ['day_in_a_week', 3],
  ['day_in_a_fortnight', 3],
  ['monthly', 3],
  ['quarterly', 2],
  ['half_yearly', 2],
  ['yearly', 2],
])('a %s plan ends after %i unpaid installments (SIP-18)', (frequency, limit) => {
  expect(failuresAllowed({ frequency }, NOW)).toBe(limit);
});

describe('an unpaid installment', () => {
  it('is published and counted', () => {
    expect(after(aPurchasePlan({ made: 1 }))).toMatchObject({
      events: ['installment_failed'],
      row: { state: 'active', consecutive_failed: 1 },
    });
  });

  it('that is the third ends the plan, and nothing more is due', () => {
    expect(after(aPurchasePlan({ made: 3, consecutive_failed: 2 }), { failed: 3 })).toMatchObject({
      events: ['installment_failed', 'cancelled'],
      row: {
        state: 'cancelled',
        cancellation_code: 'consecutive_failed_installment_limit_exceeded',
        ...{ generate_at: null, next_date: null, next_nominal: null },
      },
    });
  });

  it('that is the last completes the plan instead, once none is open', () => {
    const row = aPurchasePlan({ made: 12, next_date: null, next_nominal: null, generate_at: null });
    expect(after(row, { failed: 3 })).toMatchObject({
      events: ['installment_failed', 'completed'],
      row: { state: 'completed' },
    });
    expect(after(row, { failed: 3, isAnyOpen: true }).row?.state).toBe('active');
  });

  it('of a plan that has ended is published, and ends nothing', () => {
    const row = aPurchasePlan({ made: 3, state: 'cancelled' });
    expect(after(row, { failed: 3 })).toMatchObject({
      events: ['installment_failed'],
      row: { state: 'cancelled', cancellation_code: null },
    });
  });
});

describe('a successful installment', () => {
  it('resets the count without an event, and gives the plan its folio with one', () => {
    const row = aPurchasePlan({ made: 3, consecutive_failed: 2, folio_number: null });
    expect(after(row, { outcome: 'successful', failed: 0, folio_number: '91047558203' })).toMatchObject({
      events: ['updated'],
      row: { consecutive_failed: 0, folio_number: '91047558203', state: 'active' },
    });
    const known = aPurchasePlan({ made: 3, folio_number: '1' });
    expect(after(known, { outcome: 'successful', failed: 0, folio_number: '91047558203' }).events).toEqual(
      [],
    );
  });

  it('that arrives late leaves what came after it unpaid', () => {
    const row = aPurchasePlan({ made: 3, consecutive_failed: 2, folio_number: '1' });
    expect(after(row, { outcome: 'successful', failed: 2 })).toEqual({ events: [], row: undefined });
  });
});
