import { Decimal, patchMfPurchasePlan, type PatchMfPurchasePlan } from '@fundrail/contracts';
import { nextAmount } from '../schedule/step-up.ts';
import { aPurchasePlan, MONDAY } from '../testing/purchase-plan.builder.ts';
import { CONSENT } from '../testing/plan.builder.ts';
import type { Plan } from '../plan/plan.ts';
import { changesOf, type ChosenMandate } from './changes.ts';
import { stepUpTerms } from './purchase-plan.ts';

const ID = `mfpp_${'1'.repeat(32)}`;
const STEP = { type: 'amount', value: 500, frequency: 'half_yearly' };
const MANDATE: ChosenMandate = {
  ...{ payment_source: 1002, mandate_limit: Decimal.parse('9000') },
  mandate_seq: 4,
};

const patch = (body: object): PatchMfPurchasePlan => patchMfPurchasePlan.parse({ id: ID, ...body });
const change = (row: Plan, body: object, mandate: ChosenMandate | null = null, now = MONDAY) => {
  const steps = changesOf(row, patch(body), mandate, now);
  const after = steps.at(-1)?.row ?? row;
  return { steps, after, next: nextAmount(stepUpTerms(after)).amount.toString() };
};
const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as { code?: string; name: string }).code ?? (error as Error).name;
  }
  return 'none';
};
const fieldsOf = (body: object) =>
  patchMfPurchasePlan.safeParse({ id: ID, ...body }).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('a PATCH of a purchase plan (SIP-9)', () => {
  it.each<[object, string[]]>([
    [{ consent: CONSENT }, []],
    [{ state: 'confirmed' }, []],
    [{ state: 'confirmed', consent: CONSENT }, []],
    [{ payment_method: 'mandate', payment_source: 1001 }, []],
    [{ consent: CONSENT, amount: 2000, step_up: null }, []],
    [{ consent: CONSENT, payment_method: 'mandate', payment_source: 1001 }, []],
    [{}, ['state']],
    [{ amount: 2000 }, ['consent']],
    [{ step_up: null }, ['consent']],
    [{ payment_source: 1001 }, ['payment_method']],
    [{ consent: CONSENT, amount: 2000, payment_method: 'mandate', payment_source: 1001 }, ['payment_source']],
    [{ consent: CONSENT, state: 'confirmed', amount: 2000 }, ['state']],
    [{ consent: CONSENT, step_up: { ...STEP, type: 'percentage' } }, ['step_up.value']],
  ])('with %j has faults on %j', (body, fields) => {
    expect(fieldsOf(body)).toEqual(fields);
  });

  it('of the amount holds for the next installment, is published, and is kept with its consent', () => {
    const row = aPurchasePlan({ last_amount: Decimal.parse('1000'), made: 1 });
    const { steps, after, next } = change(row, { consent: CONSENT, amount: 2000 });
    expect(steps.map(({ events }) => events)).toEqual([['mf_purchase_plan.updated']]);
    expect([next, after.last_amount?.toString()]).toEqual(['2000.0000', '1000.0000']);
    expect(after.agreed).toMatchObject({
      consent: { email: CONSENT.email },
      terms: { amount: Decimal.parse('2000') },
    });
    expect(after.consent).toEqual(row.consent);
  });

  it('above the mandate’s limit is refused, and so is a mandate below the amount', () => {
    const row = aPurchasePlan();
    expect(codeOf(() => change(row, { consent: CONSENT, amount: 15_000.01 }))).toBe('MANDATE_LIMIT_EXCEEDED');
    const less = { ...MANDATE, mandate_limit: Decimal.parse('999.99') };
    const other = { consent: CONSENT, payment_method: 'mandate', payment_source: 1002 };
    expect(codeOf(() => change(row, other, less))).toBe('MANDATE_LIMIT_EXCEEDED');
  });

  it('of the step-up counts from then on, by the same dates', () => {
    const row = aPurchasePlan({ made: 9, next_nominal: '2027-10-06', steps_passed: 0 });
    const october = new Date('2027-10-01T10:00:00+05:30');
    const { after, next } = change(row, { consent: CONSENT, step_up: STEP }, null, october);
    expect([after.steps_passed, next]).toEqual([1, '1000.0000']);
    expect(nextAmount({ ...stepUpTerms(after), next_nominal: '2028-01-06' }).amount.toString()).toBe(
      '1500.0000',
    );
    expect(change(after, { consent: CONSENT, step_up: null }).after).toMatchObject({ step_up_type: null });
  });

  it('of the step-up holds for an installment of an earlier nominal date that is not made yet', () => {
    // Saturday, for which Monday is the date.
    const row = aPurchasePlan({ made: 6, next_nominal: '2027-07-10', first_by_day: '2027-01-10' });
    const sunday = new Date('2027-07-11T10:00:00+05:30');
    expect(change(row, { consent: CONSENT, step_up: STEP }, null, sunday).next).toBe('1500.0000');
  });

  it('does not let the amount reach the step-up’s greatest one', () => {
    const row = aPurchasePlan({}, { step_up: { ...STEP, max_amount: 1800 } });
    expect(codeOf(() => change(row, { consent: CONSENT, amount: 1800 }))).toBe('BAD_REQUEST_ERROR');
    const higher = { ...STEP, max_amount: 2500 };
    expect(change(row, { consent: CONSENT, amount: 1800, step_up: higher }).next).toBe('1800.0000');
  });

  it('that adds a mandate moves the generation to the day before, and leaves a replaced one’s', () => {
    const other = { consent: CONSENT, payment_method: 'mandate', payment_source: 1002 };
    const byHand = aPurchasePlan({}, { payment_method: undefined, payment_source: undefined });
    const added = change(byHand, other, MANDATE).after;
    expect(added.generate_at).toEqual(new Date('2027-01-05T00:05:00+05:30'));
    expect(added).toMatchObject({
      payment_source: 1002,
      mandate_limit: MANDATE.mandate_limit,
      payment_method: 'mandate',
    });
    const row = aPurchasePlan({ reason: 'mandate_paused' });
    expect(change(row, other, MANDATE).after).toMatchObject({ generate_at: row.generate_at, reason: null });
  });

  it('to the mandate that the plan has keeps the newer limit of the two (SIP-7)', () => {
    const other = { consent: CONSENT, payment_method: 'mandate', payment_source: 1002 };
    const kept = { payment_source: 1002, mandate_limit: Decimal.parse('7000') };
    const limitAfter = (mandate_seq: number) =>
      change(aPurchasePlan({ ...kept, mandate_seq }), other, MANDATE).after.mandate_limit?.toString();
    expect([limitAfter(3), limitAfter(5)]).toEqual(['9000.0000', '7000.0000']);
  });

  it('in another state is a 409', () => {
    const consented = { consent: CONSENT, amount: 2000 };
    const mandate = { payment_method: 'mandate', payment_source: 1002 };
    for (const state of [
      'created',
      'review_completed',
      'confirmed',
      'submitted',
      'completed',
      'cancelled',
      'failed',
    ] as const)
      expect(codeOf(() => change(aPurchasePlan({ state }), consented))).toBe('ILLEGAL_TRANSITION');
    for (const state of ['confirmed', 'submitted', 'completed', 'cancelled', 'failed'] as const)
      expect(codeOf(() => change(aPurchasePlan({ state }), mandate, MANDATE))).toBe('ILLEGAL_TRANSITION');
    expect(codeOf(() => change(aPurchasePlan(), mandate, MANDATE))).toBe('BAD_REQUEST_ERROR');
    const created = aPurchasePlan({ state: 'created', generate_at: null, consent: null });
    expect(change(created, mandate, MANDATE).after.payment_source).toBe(1002);
    expect(codeOf(() => change(aPurchasePlan(), { consent: CONSENT }))).toBe('IllegalTransition');
  });

  it.each(['created', 'review_completed'] as const)(
    'of the mandate of a plan in %s that the investor has agreed to needs a consent of its own',
    (state) => {
      const mandate = { payment_method: 'mandate', payment_source: 1002 };
      const agreed = aPurchasePlan({ state, generate_at: null });
      expect(codeOf(() => change(agreed, mandate, MANDATE))).toBe('BAD_REQUEST_ERROR');
      expect(change(agreed, { ...mandate, consent: CONSENT }, MANDATE).after).toMatchObject({
        payment_source: 1002,
        agreed: { consent: { email: CONSENT.email } },
      });
      const waiting = aPurchasePlan({ state, generate_at: null, consent: null });
      expect(codeOf(() => change(waiting, { ...mandate, consent: CONSENT }, MANDATE))).toBe(
        'ILLEGAL_TRANSITION',
      );
    },
  );
});
