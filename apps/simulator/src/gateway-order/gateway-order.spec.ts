import { Decimal } from '@fundrail/contracts';
import { gatewaypoaWire } from '@fundrail/providers';
import { IllegalTransition } from '@fundrail/state-machines';
import {
  acceptSubmission,
  decideOutcome,
  decidePayout,
  decideReview,
  isSameOrder,
  payoutTime,
  refuseMoney,
  simulateOutcome,
  takeOrder,
  toOrderObject,
} from './gateway-order.ts';
import type { GatewayOrderRow } from './gateway-order.ts';

const MORNING = new Date('2026-12-21T10:00:00+05:30');
const NOW = new Date('2026-12-21T23:59:00+05:30');
const request: gatewaypoaWire.OrderRequest = {
  reference: 'mfp_1',
  tenant: 'demo',
  old_id: 42,
  kind: 'purchase',
  investment_account: 'mfia_1',
  scheme: 'INF204K01HY3',
  folio_number: null,
  amount_paise: 500_000,
  units: null,
  euin: null,
  collected: false,
};
const order = (parts: Partial<GatewayOrderRow> = {}): GatewayOrderRow => ({
  ...takeOrder(request, NOW),
  ...parts,
});
const submitted = (parts: Partial<GatewayOrderRow> = {}) =>
  order({
    ...{ review: 'passed', submission: 'accepted', order_reference: 'GPOA1', submitted_at: MORNING },
    ...parts,
  });
const paid = (parts: Partial<GatewayOrderRow> = {}) =>
  submitted({ money_arrived: true, money_arrived_at: MORNING, ...parts });
const rupees = (text: string) => ({ amount: Decimal.parse(text) });

describe('the review', () => {
  it.each([
    ['5000', 'passed'],
    ['5002', 'rejected'],
    ['5002.99', 'rejected'],
    ['5020', 'passed'],
    ['5001', 'passed'],
    ['0.2', 'passed'],
  ])('given ₹%s, when it is reviewed, then it is %s', (amount, review) => {
    expect(decideReview(order(rupees(amount)))?.review).toBe(review);
  });

  it('given an order without an amount, when it is reviewed, then it passes', () => {
    expect(decideReview(order({ kind: 'redemption', amount: null }))?.review).toBe('passed');
  });

  it('given a decided review, when it is decided again, then nothing changes', () => {
    expect(decideReview(order({ review: 'passed' }))).toBeNull();
  });
});

describe('the submission', () => {
  it('given a passed review, when it is submitted, then it has the number of the gateway', () => {
    expect(acceptSubmission(order({ review: 'passed' }), 'GPOA7', NOW)).toMatchObject({
      order_reference: 'GPOA7',
    });
  });

  it('given an accepted order, when it is submitted again, then it is the same', () => {
    const row = submitted();
    expect(acceptSubmission(row, 'GPOA8', NOW)).toBe(row);
  });

  it.each(['in_review', 'rejected'] as const)(
    'given a review that is %s, when it is submitted, then it is refused',
    (review) => {
      expect(acceptSubmission(order({ review }), 'GPOA7', NOW)).toBeNull();
    },
  );
});

describe('the registrar', () => {
  it('given an order whose money has not arrived, when it is processed, then there is no outcome', () => {
    expect(decideOutcome(submitted(), NOW)).toBeNull();
  });

  it('given a redemption, when it is processed, then it needs no money', () => {
    expect(decideOutcome(submitted({ kind: 'redemption' }), NOW)?.outcome).toBe('processed');
  });

  it('given a collected redemption, when it is processed, then it waits for the money', () => {
    const collected = { kind: 'redemption', collected: true } as const;
    expect(decideOutcome(submitted(collected), NOW)).toBeNull();
    expect(decideOutcome(paid(collected), NOW)?.outcome).toBe('processed');
  });

  it('given money that was refused, then it refuses a collected redemption, and no purchase', () => {
    const collected = { kind: 'redemption', collected: true } as const;
    expect(refuseMoney(submitted(collected))).toMatchObject({
      outcome: 'rejected',
      failure_code: 'mandate_payment_failed',
    });
    expect(refuseMoney(paid(collected))).toBeNull();
    expect(refuseMoney(submitted())).toBeNull();
  });

  it('given the digit 1, when the money has arrived, then it refuses', () => {
    expect(decideOutcome(paid(rupees('5001')), NOW)).toMatchObject({
      outcome: 'rejected',
      failure_code: 'registrar_rejected',
    });
  });

  it('given any other digit, when the money has arrived, then units, NAV, date and folio are there (SAND-17)', () => {
    const row = decideOutcome(paid(), NOW);
    expect(row).toMatchObject({
      outcome: 'processed',
      traded_on: '2026-12-21',
      allotted_folio: '91000000042',
    });
    expect(row?.allotted_units?.places()).toBeLessThanOrEqual(3);
  });

  it.each<[string, Partial<GatewayOrderRow>, string]>([
    ['a purchase that was paid after 15:00', { money_arrived_at: NOW }, '2026-12-22'],
    ['a purchase that was submitted after 15:00', { submitted_at: NOW }, '2026-12-22'],
    ['a purchase of the liquid scheme', { scheme: 'INF000F01LQ3' }, '2026-12-20'],
    ['a purchase of an older release', { submitted_at: null, money_arrived_at: null }, '2026-12-22'],
    ['a redemption', { kind: 'redemption' }, '2026-12-21'],
    ['a redemption of the overnight scheme', { kind: 'redemption', scheme: 'INF000F01ON4' }, '2026-12-21'],
  ])('given %s, when it is processed, then it trades by nav_cut_off (SAND-17)', (_, parts, day) => {
    expect(decideOutcome(paid(parts), NOW)?.traded_on).toBe(day);
  });

  it('given a folio, when it allots, then it keeps it', () => {
    expect(decideOutcome(paid({ folio_number: '777/1' }), NOW)?.allotted_folio).toBe('777/1');
  });

  it('given an order with an outcome, when it is processed again, then nothing changes', () => {
    expect(decideOutcome(paid({ outcome: 'rejected' }), NOW)).toBeNull();
  });
});

describe('the payout of a redemption (SAND-19)', () => {
  const at = (text: string) => new Date(`${text}+05:30`);
  const redeemed = (parts: Partial<GatewayOrderRow> = {}) =>
    submitted({ kind: 'redemption', outcome: 'processed', traded_on: '2026-12-22', ...parts });

  it('is made at 10:00 of the second working day after its NAV, and reported with a reference', () => {
    expect(payoutTime(redeemed())).toEqual(at('2026-12-24T10:00:00'));
    expect(decidePayout(redeemed(), at('2026-12-24T09:59:59.999'))).toBeNull();
    const row = decidePayout(redeemed(), at('2026-12-24T10:00:00'));
    expect(row && toOrderObject(row).payout).toEqual({
      paid_at: '2026-12-24T10:00:00.000+05:30',
      utr: 'N000000000042',
    });
  });

  it('is late, of the fifth working day, for the digit 4', () => {
    expect(payoutTime(redeemed(rupees('5004')))).toEqual(at('2026-12-30T10:00:00'));
  });

  it.each<[string, Partial<GatewayOrderRow>]>([
    ['a purchase', { kind: 'purchase' }],
    ['a redemption in process', { outcome: 'processing' }],
    ['a reversed one', { outcome: 'reversed' }],
    ['one that was paid out', { paid_out_at: NOW }],
  ])('is not made for %s', (_, parts) => {
    expect(decidePayout(redeemed(parts), at('2027-01-31T10:00:00'))).toBeNull();
  });
});

describe('an outcome that a test requests (SAND-9)', () => {
  const asked = (status: 'successful' | 'failed' | 'reversed', failure_code: string | null = null) => ({
    status,
    failure_code,
  });
  const processed = () => simulateOutcome(paid(), asked('successful'), NOW);

  it('given an order under review, when it is to fail, then its review fails', () => {
    expect(simulateOutcome(order(), asked('failed', 'kyc'), NOW)).toMatchObject({
      review: 'rejected',
      failure_code: 'kyc',
    });
  });

  it('given a submitted order without money, when it is to fail, then the registrar refuses', () => {
    expect(simulateOutcome(submitted(), asked('failed'), NOW).outcome).toBe('rejected');
  });

  it('given the digit 1, when it is to succeed, then it does (SAND-10)', () => {
    expect(simulateOutcome(paid(rupees('5001')), asked('successful'), NOW).outcome).toBe('processed');
  });

  it('given a successful order, when it is to be reversed, then it is', () => {
    expect(simulateOutcome(processed(), asked('reversed', 'bounced'), NOW)).toMatchObject({
      outcome: 'reversed',
      failure_code: 'bounced',
    });
  });

  it.each<[string, GatewayOrderRow, 'successful' | 'failed' | 'reversed']>([
    ['an order under review', order(), 'successful'],
    ['a pending order', order({ review: 'passed' }), 'failed'],
    ['a submitted order without money', submitted(), 'successful'],
    ['a paid order', paid(), 'reversed'],
    ['a successful order', paid({ outcome: 'processed' }), 'successful'],
    ['a successful order', paid({ outcome: 'processed' }), 'failed'],
    ['a failed order', paid({ outcome: 'rejected' }), 'failed'],
    ['a reversed order', paid({ outcome: 'reversed' }), 'reversed'],
    ['an order whose review failed', order({ review: 'rejected' }), 'failed'],
  ])('given %s, when %s %s is requested, then it is illegal', (_, row, status) => {
    expect(() => simulateOutcome(row, asked(status), NOW)).toThrow(IllegalTransition);
  });
});

describe('the order on the wire', () => {
  it('given a reviewed order, when it is sent, then it reports the category of its scheme (SAND-18)', () => {
    const reported = (scheme: string, review: 'in_review' | 'passed' = 'passed') =>
      toOrderObject(order({ review, scheme })).scheme_category;
    expect(reported('INF000F01LQ3')).toBe('liquid');
    expect(reported('INF000F01ON4')).toBe('overnight');
    expect(reported('INF204K01HY3')).toBe('other');
    expect(reported('INF000F01LQ3', 'in_review')).toBeNull();
  });

  it.each<[string, GatewayOrderRow]>([
    ['new', order()],
    ['reviewed', order({ review: 'passed' })],
    ['refused in review', order({ review: 'rejected', failure_code: 'x' })],
    ['submitted', submitted()],
    ['processed', simulateOutcome(paid(), { status: 'successful', failure_code: null }, NOW)],
    ['refused by the registrar', paid({ outcome: 'rejected', failure_code: 'x' })],
  ])('given an order that is %s, when it is sent, then our adapter can parse it', (_, row) => {
    expect(gatewaypoaWire.orderObject.safeParse(toOrderObject(row)).success).toBe(true);
  });

  it.each([{ tenant: 'other' }, { old_id: 43 }, { amount_paise: 1 }, { amount_paise: null }])(
    'given the same reference with %j, when it is compared, then it is another order',
    (difference) => {
      expect(isSameOrder(order(), { ...request, ...difference })).toBe(false);
    },
  );
});
