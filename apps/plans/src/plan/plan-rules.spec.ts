import { consentMismatches, Decimal, type MandateFacts, type PlanInstallment } from '@fundrail/contracts';
import type { GatewayPlanStatus } from '@fundrail/providers';
import { obsolete } from '@fundrail/service-kit/aggregate';
import { applyPlanFacts } from '../gateway/plan-facts.ts';
import { judgeDraw } from '../installment/drawing.ts';
import { refuseMandate, whyUnusable, type MandateReason } from '../mandate/mandate-rules.ts';
import { facts, PASSED, REGISTERED } from '../testing/fake-plan-gateway.ts';
import { aMandate, CONTACTS, INVESTOR, NOW } from '../testing/plan.builder.ts';
import { dueAfter, PLAN_DUE } from './plan-due.ts';
import { activate, cancel, confirm, createPlan, passReview, recordConsent, type Plan } from './plan.ts';

const FIRST = { day: '2027-01-05', moved: '2027-01-05', generate_at: new Date('2027-01-05T00:05:00+05:30') };
const CONSENT = { email: 'asha.rao@example.com' };
const REFUSED = {
  review: { result: 'passed' },
  registration: { result: 'refused', failure_code: 'closed' },
} as const satisfies GatewayPlanStatus;
const REJECTED = facts({ review: { result: 'failed', failure_code: 'too_many' } });

/** A newly created plan, with its consent unless changed. */
function aPlan(changes: Partial<Plan> = {}): Plan {
  const origin = { id: 'mfr_1', old_id: 1, tenant: 'demo', investor_profile: INVESTOR, known_years: [2027] };
  const input = {
    ...{ mf_investment_account: 'mfia_1', scheme: 'INF', installment_day: 5 },
    ...{ systematic: true as const, frequency: 'monthly' as const, number_of_installments: 12 },
    consent: CONSENT,
  };
  return { ...createPlan(input, { ...origin, now: NOW }).row, ...changes };
}
const last = (steps: readonly { readonly row: Plan }[]) => {
  const row = steps.at(-1)?.row;
  if (!row) throw new Error('there was no step');
  return row;
};
const reviewed = () => last(passReview(aPlan({ consent: null }), NOW));
const learn = (row: Plan, of: GatewayPlanStatus) => {
  const { steps, contradiction } = applyPlanFacts(row, of, { first: FIRST, now: NOW });
  return { triggers: steps.map(({ trigger }) => trigger), contradiction, row: steps.at(-1)?.row ?? row };
};
const active = () => learn(last(passReview(aPlan(), NOW)), REGISTERED).row;

describe('the consent of a plan', () => {
  it('is written once, after the review and before the confirmation', () => {
    const row = reviewed();
    expect(() => recordConsent(aPlan({ consent: null }), CONSENT)).toThrow(/cannot go from "created"/);
    const { row: after, events } = recordConsent(row, CONSENT);
    expect([after.state, after.consent, events]).toEqual([
      'review_completed',
      { email: CONSENT.email, isd_code: null, mobile: null },
      [],
    ]);
    expect(() => recordConsent(after, CONSENT)).toThrow('write-once');
  });

  it('is required when the plan is confirmed (PLAN-7)', () => {
    expect(() => confirm(reviewed(), NOW)).toThrow('has no consent');
    expect(() => confirm(aPlan(), NOW)).toThrow(/cannot go from "created"/);
  });

  it('must be the contacts of the account, the e-mail in any case and the dialling code with or without +', () => {
    const fields = (input: object) => consentMismatches(input, CONTACTS).map(({ field }) => field);
    expect(fields({ email: 'ASHA.Rao@example.com', isd_code: '+91', mobile: '9800012345' })).toEqual([]);
    expect(fields({ email: 'other@example.com', isd_code: '92', mobile: '9800012346' })).toEqual([
      ...['consent.email', 'consent.isd_code', 'consent.mobile'],
    ]);
  });
});

describe('the facts of the gateway', () => {
  it('take all the steps that the gateway has taken', () => {
    expect(learn(aPlan(), REGISTERED).triggers).toEqual(['pass_review', 'confirm', 'submit', 'activate']);
    expect(learn(aPlan({ consent: null }), PASSED).triggers).toEqual(['pass_review']);
  });

  it('fail a plan in its review, or when its registration is refused', () => {
    const inReview = learn(aPlan(), REJECTED);
    expect([inReview.triggers, inReview.row.reason]).toEqual([['fail_review'], 'too_many']);
    const refused = learn(last(passReview(aPlan(), NOW)), REFUSED);
    expect([refused.triggers, refused.row.reason]).toEqual([['submit', 'reject_submission'], 'closed']);
    expect(learn(refused.row, REFUSED)).toMatchObject({ triggers: [], contradiction: null });
    expect(learn(inReview.row, REJECTED)).toMatchObject({ triggers: [], contradiction: null });
  });

  it('change nothing when they contradict the plan, and the contradiction is named (CALL-4)', () => {
    const cases: [Plan, GatewayPlanStatus, string][] = [
      [active(), REJECTED, 'review_failed_after_passed'],
      [learn(aPlan(), REJECTED).row, PASSED, 'review_passed_after_failed'],
      [reviewed(), REGISTERED, 'registered_without_confirmation'],
      [learn(last(passReview(aPlan(), NOW)), REFUSED).row, REGISTERED, 'registered_after_refusal'],
      [active(), REFUSED, 'refused_after_activation'],
    ];
    for (const [row, said, contradiction] of cases)
      expect(learn(row, said)).toMatchObject({ triggers: [], contradiction });
  });

  it('change nothing on a cancelled plan', () => {
    const cancelled = cancel(aPlan(), { cancellation_code: 'invest_later' }, NOW).row;
    for (const said of [REGISTERED, REJECTED, REFUSED])
      expect(learn(cancelled, said)).toMatchObject({ triggers: [], contradiction: null });
  });
});

describe('the due work that is removed', () => {
  it('is all due work of the plan after a cancel', () => {
    const { review, register, status, checkMandate } = PLAN_DUE;
    const step = cancel(active(), { cancellation_code: 'invest_later' }, NOW);
    expect(dueAfter(step, NOW)).toEqual([review, register, status, checkMandate].map(obsolete));
    expect(step.row).toMatchObject({ next_nominal: null, next_date: null, generate_at: null });
  });

  it('is the status question after the activation', () => {
    const submitted = learn(last(passReview(aPlan(), NOW)), {
      review: { result: 'passed' },
      registration: { result: 'waiting' },
    }).row;
    expect(dueAfter(activate(submitted, FIRST, NOW), NOW)).toEqual([obsolete(PLAN_DUE.status)]);
  });
});

describe('a draw', () => {
  const known = { redemption: 'mfrd_1', plan: 'mfr_2' } as PlanInstallment;
  it.each<[string, Plan | null, PlanInstallment | null, string, RegExp]>([
    ['of an unknown plan', null, null, 'BAD_REQUEST_ERROR', /Validation/],
    [
      'by the redemption of another plan',
      { ...active(), auto_generate: false },
      known,
      'BAD_REQUEST_ERROR',
      /Val/,
    ],
    ['of a plan that generates by itself', active(), null, 'BAD_REQUEST_ERROR', /Validation/],
    [
      'before the plan is active',
      aPlan({ auto_generate: false }),
      null,
      'ILLEGAL_TRANSITION',
      /"created".*"active"/,
    ],
    [
      'after the last',
      { ...active(), auto_generate: false, made: 12 },
      null,
      'ILLEGAL_TRANSITION',
      /"active" to "completed"/,
    ],
  ])('%s is refused', (_what, row, redemption, code, message) => {
    const judged = judgeDraw(row, redemption);
    expect(judged).toMatchObject({
      outcome: 'refused',
      code,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('the mandate of a plan', () => {
  const amount = Decimal.parse('5000');
  const onCreation = (mandate: MandateFacts | null, changes: object = {}) =>
    refuseMandate(mandate, { investor_profile: INVESTOR, amount, now: NOW, ...changes });

  it('is accepted when it is the investor’s, approved, valid and of a sufficient limit', () => {
    expect(onCreation(aMandate())).toBeNull();
  });

  it.each<[string, MandateFacts | null, object, string]>([
    ['is unknown', null, {}, 'BAD_REQUEST_ERROR'],
    ['is another investor’s', aMandate(), { investor_profile: 'invp_2' }, 'BAD_REQUEST_ERROR'],
    ['is not approved', aMandate({ mandate_status: 'SUBMITTED' }), {}, 'MANDATE_NOT_APPROVED'],
    ['is not valid yet', aMandate({ valid_from: '2026-12-22' }), {}, 'MANDATE_NOT_APPROVED'],
    ['has expired', aMandate({ valid_to: '2026-12-20' }), {}, 'MANDATE_NOT_APPROVED'],
    ['has a lower limit', aMandate(), { amount: Decimal.parse('5000.01') }, 'MANDATE_LIMIT_EXCEEDED'],
  ])('that %s refuses the plan', (_what, mandate, changes, code) => {
    expect(onCreation(mandate, changes)?.code).toBe(code);
  });

  /** An installment of a Friday: its debit comes on Saturday, an e-mandate's on Monday. */
  const ofFriday = { amount, next_day: '2027-01-09', next_business_day: '2027-01-11' };
  it.each<[string, Partial<MandateFacts>, MandateReason | null]>([
    ['that is approved', {}, null],
    ['that is paused', { mandate_status: 'PAUSED' }, 'mandate_paused'],
    ['that was cancelled', { mandate_status: 'CANCELLED' }, 'mandate_cancelled'],
    ['that has expired', { mandate_status: 'EXPIRED' }, 'mandate_expired'],
    ['that was never approved', { mandate_status: 'SUBMITTED' }, 'mandate_not_approved'],
    ['that begins after the debit', { valid_from: '2027-01-10' }, 'mandate_not_valid_yet'],
    ['of less than the amount', { mandate_limit: Decimal.parse('4999.99') }, 'mandate_limit_exceeded'],
    ['that ends on the date itself', { valid_to: '2027-01-08' }, 'mandate_expired'],
    ['that ends on the day of the debit', { valid_to: '2027-01-09' }, null],
    [
      'for e-mandates that ends before the business day',
      { mandate_type: 'E_MANDATE', valid_to: '2027-01-10' },
      'mandate_expired',
    ],
    ['for e-mandates that ends on it', { mandate_type: 'E_MANDATE', valid_to: '2027-01-11' }, null],
  ])('%s can collect, or gives the reason why not, on the day of the debit', (_what, changes, expected) => {
    expect(whyUnusable(aMandate(changes), ofFriday)).toBe(expected);
    expect(whyUnusable(null, ofFriday)).toBe('mandate_unknown');
  });
});
