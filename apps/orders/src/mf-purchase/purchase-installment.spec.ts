import { istInstant, mfPurchase } from '@fundrail/contracts';
import { obsolete } from '@fundrail/service-kit/aggregate';
import { expectedNav } from '../order/expected-nav.ts';
import { dueAfter, ORDER_DUE, paymentDeadline } from '../order/order-due.ts';
import { passReview, submit, type Order } from '../order/order.ts';
import { aPurchaseInstallment } from '../testing/installment.builder.ts';
import { CONTACTS, MONDAY } from '../testing/purchase.builder.ts';
import { changePurchase, toMfPurchase } from './mf-purchase.ts';
import {
  awaitsDebit,
  awaitsPayment,
  confirmPaid,
  createPurchaseInstallment,
  expireInstallment,
} from './purchase-installment.ts';

const LATER = new Date(MONDAY.getTime() + 60_000);
const UNTIL = istInstant('2026-12-29', '23:00');
const printed = (row: Order) => toMfPurchase(row, expectedNav(row, MONDAY));
const made = (changes = {}) => createPurchaseInstallment('demo', aPurchaseInstallment(changes), 5, MONDAY);
const pending = (changes: Partial<Order> = {}, of = {}): Order => ({
  ...passReview(made(of).row, MONDAY).row,
  ...changes,
});
const held = (state: Order['state'] = 'pending') =>
  pending({ state, payment_id: 7, claimed_by: 7, claimed_at: MONDAY });
const kindsOf = (row: Order) => dueAfter(passReview(row, MONDAY), MONDAY).map(({ kind }) => kind);

describe('creating the purchase of an installment (SIP-13)', () => {
  it('copies the plan, the consent and the last moment, and starts under review', () => {
    const step = made({ installment_number: 3, payment_source: 1001 });
    expect(step).toMatchObject({ trigger: 'create', events: ['mf_purchase.created'] });
    expect(step.row).toMatchObject({
      ...{ state: 'under_review', installment_number: 3, scheduled_on: '2026-12-23', payable_until: UNTIL },
      ...{ consent: CONTACTS, debited_mandate: 1001, collection_mandate: null, initiated_by: 'system' },
    });
    expect(mfPurchase.safeParse(printed(step.row)).success).toBe(true);
    expect(printed(step.row).payable_until).toBe('2026-12-29T23:00:00.000+05:30');
  });

  it.each([
    [null, 'fresh'],
    ['123/45', 'additional'],
  ])('with the folio %s it is %s', (folio_number, type) => {
    expect(made({ folio_number }).row.type).toBe(type);
  });

  it('of a skipped one stores it as cancelled, with nothing to do', () => {
    const step = made({ state: 'cancelled', consent: null });
    expect(step).toMatchObject({ trigger: 'create_skipped', events: ['mf_purchase.cancelled'] });
    expect(step.row).toMatchObject({ state: 'cancelled', cancelled_at: MONDAY });
    expect(dueAfter(step, MONDAY)).toEqual([]);
  });
});

describe('after its review', () => {
  it.each([
    ['is debited when its plan has a mandate (SIP-25)', { payment_source: 1001 }, [ORDER_DUE.debit]],
    ['waits for the client without one', {}, []],
  ])('%s, and ends by its own deadline', (_what, of, more) => {
    expect(kindsOf(made(of).row)).toEqual([ORDER_DUE.expireInstallment, ...more]);
  });

  it('ends at its last moment, and at the earliest 30 minutes after the review (SIP-27)', () => {
    const minutes = (count: number) => new Date(UNTIL.getTime() + count * 60_000);
    expect(paymentDeadline(UNTIL, minutes(-30))).toEqual(UNTIL);
    expect(paymentDeadline(UNTIL, minutes(-29))).toEqual(minutes(1));
    expect(paymentDeadline(UNTIL, minutes(600))).toEqual(minutes(630));
  });

  it('is not swept after its submission', () => {
    const confirmed = { ...held('confirmed'), confirmed_at: MONDAY };
    const kinds = dueAfter(submit(confirmed, 'REF1', MONDAY), MONDAY).map(({ kind }) => kind);
    expect(kinds).toEqual([ORDER_DUE.installmentStatus]);
  });

  it('has no deadline once it is cancelled', () => {
    const cancelled = { ...pending(), state: 'cancelled' } as const;
    const step = { row: cancelled, trigger: 'cancel', from: 'pending', events: [] } as const;
    expect(dueAfter(step, MONDAY)).toEqual([obsolete(ORDER_DUE.expireInstallment)]);
  });

  it('is debited once', () => {
    const row = pending({}, { payment_source: 1001 });
    expect(awaitsDebit(row)).toBe(true);
    expect(awaitsDebit({ ...row, debit_over_at: MONDAY })).toBe(false);
    expect(awaitsDebit({ ...row, state: 'cancelled' })).toBe(false);
    expect(awaitsDebit(pending())).toBe(false);
  });
});

describe('an installment confirms itself (SIP-26)', () => {
  it('by the payment that holds it, and no other', () => {
    expect(confirmPaid(held(), 7, LATER)?.row).toMatchObject({ state: 'confirmed', confirmed_at: LATER });
    expect(confirmPaid(held(), 8, LATER)).toBeNull();
    expect(confirmPaid(pending(), 7, LATER)).toBeNull();
  });

  it('not under a payment that was given up, and not as an order of no plan', () => {
    expect(awaitsPayment({ ...held(), given_up_by: 7 })).toBe(false);
    expect(awaitsPayment({ ...held(), plan: null })).toBe(false);
    expect(awaitsPayment(held('submitted'))).toBe(false);
  });

  it.each(['confirmed', 'submitted', 'successful'] as const)(
    'so the confirmation of a client changes nothing when it is %s',
    (state) => {
      const { id } = held();
      expect(changePurchase(held(state), { id, state: 'confirmed' }, CONTACTS, LATER)).toEqual([]);
      const other = { ...held(state), plan: null };
      expect(() => changePurchase(other, { id, state: 'confirmed' }, CONTACTS, LATER)).toThrow();
    },
  );
});

describe('an installment that is not paid in time (SIP-27)', () => {
  const submitted = pending({ state: 'submitted', submitted_at: MONDAY });
  it.each([
    ['pending', pending(), 'expire', 'order_expiry'],
    ['submitted', submitted, 'expire_unpaid', 'payment_url_unused'],
    ['pending, by mandate', pending({ debited_mandate: 1001 }), 'expire', 'mandate_payment_failed'],
    [
      'submitted, by mandate',
      { ...submitted, debited_mandate: 1001 },
      'expire_unpaid',
      'mandate_payment_failed',
    ],
  ] as const)('%s, fails by "%s"', (_what, row, trigger, failure_code) => {
    const step = expireInstallment(row, LATER);
    expect(step).toMatchObject({ trigger, events: ['mf_purchase.failed'] });
    expect(step?.row).toMatchObject({ state: 'failed', failure_code, failed_at: LATER });
  });

  it('does not fail while a payment holds it, or while it is being submitted', () => {
    expect(expireInstallment(held(), LATER)).toBeNull();
    expect(expireInstallment(pending({ state: 'confirmed' }), LATER)).toBeNull();
  });
});
