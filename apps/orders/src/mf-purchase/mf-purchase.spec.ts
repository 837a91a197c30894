import { ApiError, Decimal, mfPurchase, ValidationFailed, type ErrorCode } from '@fundrail/contracts';
import { IllegalTransition, mfPurchaseMachine } from '@fundrail/state-machines';
import { expectedNav } from '../order/expected-nav.ts';
import {
  aConfirmedPurchase,
  aPayablePurchase,
  aPendingPurchase,
  aPurchase,
  aRequest,
  aSubmittedPurchase,
  CONTACTS,
  INVESTOR,
  MONDAY,
} from '../testing/purchase.builder.ts';
import {
  cancel,
  expire,
  fail,
  failReview,
  passReview,
  recordConsent,
  rejectSubmission,
  reverse,
  submit,
  succeed,
  type Order,
} from '../order/order.ts';
import {
  changePurchaseBeforePayment,
  confirm,
  createPurchase,
  expireUnpaid,
  toMfPurchase,
} from './mf-purchase.ts';

const LATER = new Date(MONDAY.getTime() + 60_000);
const ALLOTMENT = {
  traded_on: '2026-12-22',
  units: Decimal.parse('99.995'),
  amount: Decimal.parse('4999.75'),
  price: Decimal.parse('50'),
  folio_number: '91012345678',
};

const printed = (row: Order) => toMfPurchase(row, expectedNav(row, MONDAY));

function codeOf(act: () => unknown): ErrorCode | 'ILLEGAL' | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof IllegalTransition) return 'ILLEGAL';
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe('creating a purchase', () => {
  const origin = {
    id: `mfp_${'a'.repeat(32)}`,
    old_id: 5,
    tenant: 'demo',
    investor_profile: INVESTOR,
    now: MONDAY,
  };

  it('starts it under review with its first event', () => {
    const step = createPurchase(aRequest(), origin);
    expect(step).toMatchObject({ trigger: 'create', from: null, events: ['mf_purchase.created'] });
    expect(step.row).toMatchObject({ state: 'under_review', event_seq: 1, created_at: MONDAY, old_id: 5 });
  });

  it.each([
    [undefined, 'fresh'],
    ['123/45', 'additional'],
  ])('with the folio %s it is %s', (folio, type) => {
    expect(createPurchase(aRequest({ folio_number: folio }), origin).row.type).toBe(type);
  });

  it('returns every field of ORD-14 and nothing else', () => {
    expect(mfPurchase.safeParse(printed(createPurchase(aRequest(), origin).row))).toMatchObject({
      success: true,
    });
  });
});

describe('each step', () => {
  it.each([
    ['pass_review', () => passReview(aPurchase(), LATER), 'pending', { review_completed_at: LATER }],
    [
      'fail_review',
      () => failReview(aPurchase(), 'kyc', LATER),
      'failed',
      { failure_code: 'kyc', failed_at: LATER },
    ],
    [
      'record_consent',
      () => recordConsent(aPendingPurchase(), CONTACTS, CONTACTS),
      'pending',
      { consent: CONTACTS },
    ],
    [
      'confirm',
      () => confirm(aPayablePurchase({ claimed_by: 7 }), LATER),
      'confirmed',
      { confirmed_at: LATER },
    ],
    ['cancel', () => cancel(aPendingPurchase(), LATER), 'cancelled', { cancelled_at: LATER }],
    [
      'expire',
      () => expire(aPendingPurchase(), LATER),
      'failed',
      { failure_code: 'order_expiry', failed_at: LATER },
    ],
    [
      'submit',
      () => submit(aConfirmedPurchase(), 'R', LATER),
      'submitted',
      { order_reference: 'R', submitted_at: LATER },
    ],
    [
      'reject_submission',
      () => rejectSubmission(aConfirmedPurchase(), 'cut_off', LATER),
      'failed',
      { failure_code: 'cut_off' },
    ],
    ['succeed', () => succeed(aSubmittedPurchase(), ALLOTMENT, LATER), 'successful', { succeeded_at: LATER }],
    [
      'fail',
      () => fail(aSubmittedPurchase(), 'no_kyc', LATER),
      'failed',
      { failure_code: 'no_kyc', failed_at: LATER },
    ],
    [
      'expire_unpaid',
      () => expireUnpaid(aSubmittedPurchase({ claimed_by: null }), LATER),
      'failed',
      { failure_code: 'payment_url_unused', failed_at: LATER },
    ],
    [
      'reverse',
      () => reverse(aSubmittedPurchase({ state: 'successful' }), null, LATER),
      'reversed',
      { reversed_at: LATER },
    ],
  ] as const)('%s', (trigger, act, state, changes) => {
    const step = act();
    expect(step).toMatchObject({ trigger, events: mfPurchaseMachine.transitions[trigger].emits });
    expect(step?.row).toMatchObject({ state, ...changes });
  });

  it('stores the registrar’s values', () => {
    const { row } = succeed(aSubmittedPurchase(), ALLOTMENT, LATER);
    const { traded_on, units, amount, price, folio_number } = ALLOTMENT;
    const expected = {
      traded_on,
      allotted_units: units,
      purchased_amount: amount,
      purchased_price: price,
      folio_number,
    };
    expect(row).toMatchObject(expected);
  });

  it('keeps the folio that the order was placed with', () => {
    expect(succeed(aSubmittedPurchase({ folio_number: '7/7' }), ALLOTMENT, LATER).row.folio_number).toBe(
      '7/7',
    );
  });
});

describe('consent', () => {
  it.each([
    ['e-mail in another case', { email: 'Asha@Example.com' }],
    ['mobile alone', { mobile: '9876543210' }],
    ['the dialling code with a plus', { isd_code: '+91', mobile: '9876543210' }],
  ])('%s is accepted', (_, input) => {
    expect(recordConsent(aPendingPurchase(), input, CONTACTS).row.consent).toMatchObject(input);
  });

  it.each([
    ['consent.email', { email: 'other@example.com' }],
    ['consent.mobile', { mobile: '9999999999' }],
    ['consent.isd_code', { isd_code: '1', mobile: '9876543210' }],
  ])('reports %s when it is not the account’s (ORD-9)', (field, input) => {
    const refused = expect.objectContaining({
      errors: [{ field, message: 'must match the investment account' }],
    });
    expect(() => recordConsent(aPendingPurchase(), input, CONTACTS)).toThrow(ValidationFailed);
    expect(() => recordConsent(aPendingPurchase(), input, CONTACTS)).toThrow(refused);
  });

  it('does not match contacts that the account does not have', () => {
    const nothing = { email: null, isd_code: null, mobile: null };
    expect(codeOf(() => recordConsent(aPendingPurchase(), CONTACTS, nothing))).toBe('BAD_REQUEST_ERROR');
  });
});

describe('which error comes first (ORD-10, ORD-19, ORD-21)', () => {
  const stranger = { email: 'other@example.com' };
  it.each([
    [
      'consent: the state',
      () => recordConsent(aConfirmedPurchase(), stranger, CONTACTS),
      'ORDER_NOT_PENDING',
    ],
    [
      'consent: then whether it is set',
      () => recordConsent(aPayablePurchase(), stranger, CONTACTS),
      'CONSENT_ALREADY_SET',
    ],
    [
      'consent: then whether it matches',
      () => recordConsent(aPendingPurchase(), stranger, CONTACTS),
      'BAD_REQUEST_ERROR',
    ],
    ['confirm: the state', () => confirm(aPurchase(), LATER), 'ILLEGAL'],
    ['confirm: then the consent', () => confirm(aPendingPurchase(), LATER), 'CONSENT_MISSING'],
    ['confirm: then the payment', () => confirm(aPayablePurchase(), LATER), 'PAYMENT_MISSING'],
    [
      'confirm: a released payment does not count',
      () => confirm(aPayablePurchase({ payment_id: 7 }), LATER),
      'PAYMENT_MISSING',
    ],
    ['cancel: the state', () => cancel(aConfirmedPurchase(), LATER), 'ILLEGAL'],
    [
      'cancel: then the payment',
      () => cancel(aPayablePurchase({ claimed_by: 7 }), LATER),
      'PAYMENT_ALREADY_EXISTS',
    ],
  ] as const)('%s', (_, act, code) => {
    expect(codeOf(act)).toBe(code);
  });
});

describe('a purchase of a client of the upstream interface (COMP-7)', () => {
  const confirmed = (changes: Parameters<typeof aPayablePurchase>[0]) =>
    changePurchaseBeforePayment(
      aPayablePurchase(changes),
      { id: 'mfp_1', state: 'confirmed' },
      CONTACTS,
      LATER,
    )[0]?.row.state;

  it('is confirmed without a payment and with one, and not when that has given it up', () => {
    expect(confirmed({})).toBe('confirmed');
    expect(confirmed({ claimed_by: 7 })).toBe('confirmed');
    expect(codeOf(() => confirmed({ claimed_by: 7, given_up_by: 7 }))).toBe('PAYMENT_MISSING');
  });

  it('is not confirmed before its debit as an installment (SIP-25)', () => {
    const plan = `mfpp_${'1'.repeat(32)}`;
    expect(codeOf(() => confirmed({ plan, installment_number: 1 }))).toBe('PAYMENT_MISSING');
  });
});

describe('an expiry that waits for a payment', () => {
  it.each([
    ['order_expiry of an order that is held', () => expire(aPayablePurchase({ claimed_by: 7 }), LATER)],
    [
      'order_expiry of an order that was confirmed',
      () => expire(aConfirmedPurchase({ claimed_by: null }), LATER),
    ],
    ['payment_url_unused of an order that is held', () => expireUnpaid(aSubmittedPurchase(), LATER)],
    [
      'payment_url_unused of an order that has ended',
      () => expireUnpaid(aPurchase({ state: 'failed' }), LATER),
    ],
  ])('%s does not run', (_, act) => {
    expect(act()).toBeNull();
  });
});
