import { Decimal } from '@fundrail/contracts';
import type { GatewayOrderStatus } from '@fundrail/providers';
import fc from 'fast-check';
import { createInstallment } from '../mf-redemption/mf-redemption.ts';
import type { Order } from '../order/order.ts';
import { aCollectedInstallment } from '../testing/installment.builder.ts';
import {
  aConfirmedPurchase,
  aPendingPurchase,
  aPurchase,
  aSubmittedPurchase,
  MONDAY,
} from '../testing/purchase.builder.ts';
import { applyGatewayFacts } from './gateway-facts.ts';

const LATER = new Date(MONDAY.getTime() + 60_000);
const details = {
  traded_on: '2026-12-22',
  units: Decimal.parse('100'),
  amount: Decimal.parse('5000'),
  price: Decimal.parse('50'),
  folio_number: '91012345678',
};
const ACCEPTED = { result: 'accepted', order_reference: 'REF1' } as const;

function facts(changes: Partial<GatewayOrderStatus> = {}): GatewayOrderStatus {
  return {
    review: { result: 'passed' },
    submission: { result: 'none' },
    outcome: { result: 'waiting' },
    ...changes,
  };
}

/** Confirmed, with a debit in progress. */
function anUncollectedInstallment(): Order {
  const { row } = createInstallment('demo', aCollectedInstallment(), 1001, MONDAY);
  return { ...row, state: 'confirmed', event_seq: 3, review_completed_at: MONDAY, confirmed_at: MONDAY };
}

/** A redemption whose proceeds were paid under the reference N1. */
function aPaidOut(): Order {
  const { row } = createInstallment('demo', aCollectedInstallment(), 1001, MONDAY);
  const steps = { state: 'successful', review_completed_at: MONDAY, confirmed_at: MONDAY } as const;
  const after = { ...steps, submitted_at: MONDAY, order_reference: 'REF1', succeeded_at: MONDAY };
  return { ...row, ...after, collected_at: MONDAY, paid_out_at: MONDAY, payout_reference: 'N1' };
}

function triggersOn(row: Order, reported: GatewayOrderStatus): string[] {
  return applyGatewayFacts(row, reported, LATER).steps.map((step) => step.trigger);
}

describe('the gateway’s facts', () => {
  it.each([
    ['a passed review', aPurchase(), facts(), ['pass_review']],
    [
      'a failed review',
      aPurchase(),
      facts({ review: { result: 'failed', failure_code: 'x' } }),
      ['fail_review'],
    ],
    ['an accepted submission', aConfirmedPurchase(), facts({ submission: ACCEPTED }), ['submit']],
    [
      'a refused submission',
      aConfirmedPurchase(),
      facts({ submission: { result: 'refused', failure_code: 'x' } }),
      ['reject_submission'],
    ],
    [
      'an outcome before the answer to the submission',
      aConfirmedPurchase(),
      facts({ submission: ACCEPTED, outcome: { result: 'successful', details } }),
      ['submit', 'succeed'],
    ],
    [
      'a refusal by the registrar',
      aSubmittedPurchase(),
      facts({ submission: ACCEPTED, outcome: { result: 'failed', failure_code: 'x' } }),
      ['fail'],
    ],
    [
      'a reversal without a report of the success',
      aSubmittedPurchase(),
      facts({ submission: ACCEPTED, outcome: { result: 'reversed', failure_code: null } }),
      ['succeed', 'reverse'],
    ],
    ['a review in progress', aPurchase(), facts({ review: { result: 'waiting' } }), []],
  ])('%s', (_, row, reported, triggers) => {
    expect(triggersOn(row, reported)).toEqual(triggers);
    expect(applyGatewayFacts(row, reported, LATER).contradiction).toBeNull();
  });

  it.each([
    [
      'review_failed_after_passed',
      aPendingPurchase(),
      facts({ review: { result: 'failed', failure_code: 'x' } }),
    ],
    ['review_passed_after_failed', aPurchase({ state: 'failed', failure_code: 'x' }), facts()],
    ['submitted_without_confirmation', aPendingPurchase(), facts({ submission: ACCEPTED })],
    [
      'submitted_without_collection',
      anUncollectedInstallment(),
      facts({ submission: ACCEPTED, outcome: { result: 'successful', details } }),
    ],
    [
      'submitted_without_collection',
      anUncollectedInstallment(),
      facts({ submission: { result: 'refused', failure_code: 'x' } }),
    ],
    ['accepted_after_refusal', aConfirmedPurchase({ state: 'failed' }), facts({ submission: ACCEPTED })],
    [
      'refused_after_submission',
      aSubmittedPurchase(),
      facts({ submission: { result: 'refused', failure_code: 'x' } }),
    ],
    [
      'order_reference_changed',
      aSubmittedPurchase(),
      facts({ submission: { result: 'accepted', order_reference: 'REF2' } }),
    ],
    [
      'outcome_without_submission',
      aConfirmedPurchase(),
      facts({ outcome: { result: 'successful', details } }),
    ],
    [
      'success_after_end',
      aSubmittedPurchase({ state: 'failed' }),
      facts({ submission: ACCEPTED, outcome: { result: 'successful', details } }),
    ],
    [
      'failure_after_success',
      aSubmittedPurchase({ state: 'successful' }),
      facts({ submission: ACCEPTED, outcome: { result: 'failed', failure_code: 'x' } }),
    ],
    [
      'payout_reference_changed',
      aPaidOut(),
      facts({
        ...{ submission: ACCEPTED, outcome: { result: 'successful', details } },
        payout: { paid_at: LATER, reference: 'N2' },
      }),
    ],
  ])('that contradict us have a name: %s (CALL-4)', (contradiction, row, reported) => {
    expect(applyGatewayFacts(row, reported, LATER)).toEqual({ steps: [], contradiction });
  });

  it('that report another payout do not hide a reversal', () => {
    const outcome = { result: 'reversed', failure_code: 'x' } as const;
    const payout = { paid_at: LATER, reference: 'N2' };
    const { steps, contradiction } = applyGatewayFacts(
      aPaidOut(),
      facts({ submission: ACCEPTED, outcome, payout }),
      LATER,
    );
    expect([steps.map(({ trigger }) => trigger), contradiction]).toEqual([
      ['reverse'],
      'payout_reference_changed',
    ]);
  });
});

const anyFacts: fc.Arbitrary<GatewayOrderStatus> = fc.record({
  review: fc.constantFrom<GatewayOrderStatus['review']>(
    { result: 'waiting' },
    { result: 'passed' },
    { result: 'failed', failure_code: 'r' },
  ),
  submission: fc.constantFrom<GatewayOrderStatus['submission']>({ result: 'none' }, ACCEPTED, {
    result: 'refused',
    failure_code: 's',
  }),
  outcome: fc.constantFrom<GatewayOrderStatus['outcome']>(
    { result: 'waiting' },
    { result: 'successful', details },
    { result: 'failed', failure_code: 'o' },
    { result: 'reversed', failure_code: null },
  ),
});
const anyOrder = fc.constantFrom(
  aPurchase(),
  aPendingPurchase(),
  aConfirmedPurchase(),
  aSubmittedPurchase(),
  aSubmittedPurchase({ state: 'successful' }),
  aSubmittedPurchase({ state: 'failed' }),
  aSubmittedPurchase({ state: 'reversed' }),
  aPendingPurchase({ state: 'cancelled' }),
  anUncollectedInstallment(),
);

describe('any facts of the gateway, in any order', () => {
  it('cause no illegal step, and a repetition changes nothing (CALL-3)', () => {
    fc.assert(
      fc.property(anyOrder, anyFacts, (order, reported) => {
        const once = applyGatewayFacts(order, reported, LATER);
        const after = once.steps.at(-1)?.row ?? order;
        expect(applyGatewayFacts(after, reported, LATER).steps).toEqual([]);
      }),
    );
  });

  it('bring a confirmed order to the same end in order, reordered or repeated (CALL-3)', () => {
    const story = [
      facts(),
      facts({ submission: ACCEPTED }),
      facts({ submission: ACCEPTED, outcome: { result: 'successful', details } }),
    ];
    const reported = fc
      .shuffledSubarray([...story, ...story], { minLength: 1 })
      .filter((list) => list.includes(story[2] ?? facts()));
    fc.assert(
      fc.property(reported, (list) => {
        let order = aConfirmedPurchase();
        for (const fact of list) order = applyGatewayFacts(order, fact, LATER).steps.at(-1)?.row ?? order;
        expect(order).toMatchObject({ state: 'successful', event_seq: 6 });
      }),
    );
  });
});
