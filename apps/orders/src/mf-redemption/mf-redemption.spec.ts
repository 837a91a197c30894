import { ApiError, Decimal, mfRedemption, PAYMENT_STATUSES } from '@fundrail/contracts';
import { obsolete } from '@fundrail/service-kit/aggregate';
import { IllegalTransition } from '@fundrail/state-machines';
import { expectedNav } from '../order/expected-nav.ts';
import { dueAfter, ORDER_DUE } from '../order/order-due.ts';
import { fail, passReview, submit, succeed, type Order } from '../order/order.ts';
import { aCollectedInstallment, anInstallment } from '../testing/installment.builder.ts';
import { ACCOUNT, CONTACTS, INVESTOR, MONDAY } from '../testing/purchase.builder.ts';
import {
  awaitsCollection,
  changeRedemption,
  collectionBy,
  confirmInstallment,
  createInstallment,
  createRedemption,
  failCollection,
  toMfRedemption,
} from './mf-redemption.ts';

const LATER = new Date(MONDAY.getTime() + 60_000);
const ID = `mfrd_${'a'.repeat(32)}`;
const FIVE = Decimal.parse('5');

function aRedemption(changes: { amount?: Decimal; units?: Decimal } = {}): Order {
  const origin = { id: ID, old_id: 5, tenant: 'demo', investor_profile: INVESTOR, now: MONDAY };
  const asked = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', folio_number: '1/2', ...changes };
  return createRedemption(asked, origin).row;
}
const pending = (row: Order) => passReview(row, MONDAY).row;
const installment = (changes = {}) => createInstallment('demo', anInstallment(changes), 5, MONDAY);
const confirmedInstallment = () => {
  const { row } = createInstallment('demo', aCollectedInstallment(), 5, MONDAY);
  return confirmInstallment(pending(row), MONDAY)?.row ?? row;
};

describe('creating a redemption', () => {
  it.each([
    ['amount', { amount: FIVE }],
    ['units', { units: FIVE }],
    ['all', {}],
  ])('of %s has that type, and returns every field of ORD-14', (type, changes) => {
    const row = aRedemption(changes);
    expect(row).toMatchObject({ type, state: 'under_review', event_seq: 1, kind: 'redemption' });
    expect(mfRedemption.safeParse(toMfRedemption(row, expectedNav(row, MONDAY))).success).toBe(true);
  });
});

describe('consent and confirmation', () => {
  const both = { id: ID, consent: { email: CONTACTS.email }, state: 'confirmed' } as const;

  it('may come in one request, as two steps', () => {
    const steps = changeRedemption(pending(aRedemption()), both, CONTACTS, LATER);
    expect(steps.map(({ trigger }) => trigger)).toEqual(['record_consent', 'confirm']);
    expect(steps.at(-1)?.row).toMatchObject({ state: 'confirmed', confirmed_at: LATER, event_seq: 4 });
  });

  it('need the review and the consent, but no payment (ORD-20)', () => {
    const confirm = (row: Order) => changeRedemption(row, { id: ID, state: 'confirmed' }, CONTACTS, LATER);
    expect(() => confirm(aRedemption())).toThrow(IllegalTransition);
    expect(() => confirm(pending(aRedemption()))).toThrow(ApiError);
    expect(confirm({ ...pending(aRedemption()), consent: CONTACTS })).toHaveLength(1);
  });
});

describe('the registrar', () => {
  it('fills the columns of a redemption, and those of a purchase stay empty', () => {
    const row = { ...pending(aRedemption()), consent: CONTACTS, state: 'confirmed' } as const;
    const submitted = submit(row, 'REF1', MONDAY).row;
    const settlement = { traded_on: '2026-12-22', units: FIVE, amount: FIVE, price: FIVE, folio_number: '9' };
    expect(succeed(submitted, settlement, LATER).row).toMatchObject({
      ...{ redeemed_units: FIVE, redeemed_amount: FIVE, redeemed_price: FIVE, folio_number: '1/2' },
      ...{ allotted_units: null, purchased_amount: null, purchased_price: null, state: 'successful' },
    });
    expect(fail(submitted, 'no_units', LATER).events).toEqual(['mf_redemption.failed']);
  });

  it('is asked after the submission, and the order is never swept because of a missing payment', () => {
    const row = { ...pending(aRedemption()), consent: CONTACTS, state: 'confirmed' } as const;
    expect(dueAfter(submit(row, 'REF1', MONDAY), MONDAY).map(({ kind }) => kind)).toEqual([ORDER_DUE.status]);
  });
});

describe('an installment', () => {
  it('starts under review with the consent of its plan, or cancelled when it was skipped', () => {
    expect(installment()).toMatchObject({ trigger: 'create', events: ['mf_redemption.created'] });
    expect(installment().row).toMatchObject({
      consent: CONTACTS,
      installment_number: 1,
      scheduled_on: '2026-12-21',
    });
    const skipped = installment({ state: 'cancelled' });
    expect(skipped).toMatchObject({ trigger: 'create_skipped', events: ['mf_redemption.cancelled'] });
    expect(skipped.row).toMatchObject({ state: 'cancelled', cancelled_at: MONDAY, event_seq: 1 });
    expect(dueAfter(skipped, MONDAY)).toEqual([]);
  });

  it('is confirmed automatically after its review, and no other order is', () => {
    const { row } = installment();
    expect(confirmInstallment(row, LATER)).toBeNull();
    expect(confirmInstallment(pending(row), LATER)?.row).toMatchObject({ state: 'confirmed' });
    expect(confirmInstallment({ ...pending(aRedemption()), consent: CONTACTS }, LATER)).toBeNull();
  });

  it('is collected before it is submitted, when its plan has a mandate (ORD-20)', () => {
    const plain = confirmInstallment(pending(installment().row), LATER);
    const { row } = createInstallment('demo', aCollectedInstallment(), 5, MONDAY);
    const collected = confirmInstallment(pending(row), LATER);
    const { expire, collect, submitInstallment } = ORDER_DUE;
    expect(plain && dueAfter(plain, LATER)).toEqual([
      obsolete(expire),
      { kind: submitInstallment, due_at: LATER },
    ]);
    expect(collected && dueAfter(collected, LATER)).toEqual([
      obsolete(expire),
      { kind: collect, due_at: LATER },
    ]);
  });

  it('waits for its money only while it is confirmed and the money has not come', () => {
    const row = confirmedInstallment();
    expect(awaitsCollection(row)).toBe(true);
    expect(awaitsCollection({ ...row, collected_at: LATER })).toBe(false);
    expect(awaitsCollection({ ...row, collection_mandate: null })).toBe(false);
    expect(awaitsCollection({ ...row, state: 'failed' })).toBe(false);
  });

  it('fails with mandate_payment_failed from confirmed alone (ORD-26)', () => {
    expect(failCollection(confirmedInstallment(), LATER).row).toMatchObject({
      ...{ state: 'failed', failure_code: 'mandate_payment_failed', failed_at: LATER },
    });
    expect(() => failCollection(pending(installment().row), LATER)).toThrow(IllegalTransition);
  });

  it('maps each status of its debit', () => {
    expect(PAYMENT_STATUSES.map((status) => `${status} ${collectionBy(status)}`).sort()).toEqual([
      'APPROVED collected',
      'FAILED failed',
      'INITIATED collected',
      'PENDING open',
      'REJECTED failed',
      'SUBMITTED open',
      'SUCCESS collected',
    ]);
  });
});
