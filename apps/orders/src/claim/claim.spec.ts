import type { Claim, ClaimResult } from '@fundrail/contracts';
import fc from 'fast-check';
import type { Order } from '../order/order.ts';
import {
  aConfirmedPurchase,
  aPayablePurchase,
  aPendingPurchase,
  aPurchase,
  aSubmittedPurchase,
  INVESTOR,
} from '../testing/purchase.builder.ts';
import { claimsWithoutOverlap, decideClaims } from './claim.ts';

function aClaim(changes: Partial<Claim> = {}): Claim {
  return {
    tenant: 'demo',
    payment_id: 50,
    amc_order_ids: [1],
    investor_profile: INVESTOR,
    replaces: [],
    ...changes,
  };
}

/** The result of one claim on orders with the numbers 1, 2, … */
function claimOn(orders: readonly Order[], claim: Claim): ClaimResult | undefined {
  return decideClaims(numbered(orders), [claim]).results[0];
}

function numbered(orders: readonly Order[]): Order[] {
  return orders.map((order, index) => ({ ...order, old_id: index + 1 }));
}

describe('a claim', () => {
  it.each([
    ['pending with consent', aPayablePurchase()],
    ['submitted and free, for a retry', aSubmittedPurchase({ claimed_by: null })],
    ['confirmed, but held by the same payment already', aConfirmedPurchase({ claimed_by: 50 })],
    ['held by a payment that is known to be dead', aPayablePurchase({ claimed_by: 7 })],
  ])('is granted on an order that is %s', (_, order) => {
    const result = claimOn([order], aClaim({ replaces: [7] }));
    expect(result).toMatchObject({
      outcome: 'claimed',
      payment_id: 50,
      orders: [{ old_id: 1, sequence: order.event_seq }],
    });
  });

  it.each([
    ['under review', aPurchase(), 'ORDER_NOT_PENDING'],
    ['confirmed', aConfirmedPurchase({ claimed_by: null }), 'ORDER_NOT_PENDING'],
    ['failed', aPayablePurchase({ state: 'failed' }), 'ORDER_NOT_PENDING'],
    ['without consent', aPendingPurchase(), 'CONSENT_MISSING'],
    ['held by a live payment', aPayablePurchase({ claimed_by: 7 }), 'PAYMENT_ALREADY_EXISTS'],
    [
      'held, and without consent: consent comes first',
      aPendingPurchase({ claimed_by: 7 }),
      'CONSENT_MISSING',
    ],
  ])('is refused on an order that is %s', (_, order, code) => {
    expect(claimOn([order], aClaim())).toMatchObject({ outcome: 'refused', code });
  });

  it('contains the holders of the orders', () => {
    const orders = [
      aPayablePurchase({ claimed_by: 7 }),
      aPayablePurchase(),
      aPayablePurchase({ claimed_by: 8 }),
    ];
    expect(claimOn(orders, aClaim({ amc_order_ids: [1, 2, 3] }))).toMatchObject({ claimed_by: [7, 8] });
  });

  it.each([
    ['amc_order_ids.1', [aPayablePurchase()], { amc_order_ids: [1, 99] }],
    ['amc_order_ids.0', [aPayablePurchase({ tenant: 'other' })], {}],
    [
      'amc_order_ids.1',
      [aPayablePurchase(), aPayablePurchase({ mf_investment_account: 'mfia_2' })],
      { amc_order_ids: [1, 2] },
    ],
    ['amc_order_ids.1', [aPayablePurchase()], { amc_order_ids: [1, 1] }],
    ['bank_account_id', [aPayablePurchase()], { investor_profile: 'invp_other' }],
  ])('is a bad request on %s', (field, orders, changes) => {
    const errors = [expect.objectContaining({ field })];
    expect(claimOn(orders, aClaim(changes))).toMatchObject({ code: 'BAD_REQUEST_ERROR', errors });
  });

  it('does not check the owner of the bank account when the payout account is used', () => {
    expect(claimOn([aPayablePurchase()], aClaim({ investor_profile: null }))?.outcome).toBe('claimed');
  });
});

describe('claims of one batch', () => {
  it('see what earlier claims took', () => {
    const claims = [aClaim({ payment_id: 50 }), aClaim({ payment_id: 51 }), aClaim({ payment_id: 50 })];
    const { results, taken } = decideClaims(numbered([aPayablePurchase()]), claims);
    expect(results.map((result) => result.outcome)).toEqual(['claimed', 'refused', 'claimed']);
    expect([...taken]).toEqual([[1, 50]]);
  });

  it('take whole sets, and each order once, for any requests', () => {
    const sets = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(sets, { minLength: 1, maxLength: 20 }), (wanted) => {
        const orders = numbered(Array.from({ length: 6 }, () => aPayablePurchase()));
        const claims = wanted.map((amc_order_ids, index) =>
          aClaim({ payment_id: 100 + index, amc_order_ids }),
        );
        const { results, taken } = decideClaims(orders, claims);
        results.forEach((result, index) => {
          const held = wanted[index]?.filter((id) => taken.get(id) === result.payment_id) ?? [];
          expect(held).toEqual(result.outcome === 'claimed' ? wanted[index] : []);
        });
        const firstWins = results[0]?.outcome;
        expect(firstWins).toBe('claimed');
      }),
    );
  });
});

describe('claims that are tried together', () => {
  const asking = (payment_id: number, amc_order_ids: number[]): Claim => ({
    tenant: 'demo',
    payment_id,
    amc_order_ids,
    investor_profile: null,
    replaces: [],
  });
  const idsOf = (claims: readonly Claim[]) =>
    claimsWithoutOverlap(claims).map(({ payment_id }) => payment_id);

  it('contain no order twice: the first claim with an order comes first', () => {
    expect(idsOf([asking(1, [11, 12]), asking(2, [12, 13]), asking(3, [13, 14])])).toEqual([1, 3]);
  });

  it('leave out a claim that contains an order twice', () => {
    expect(idsOf([asking(1, [11, 11]), asking(2, [11])])).toEqual([2]);
  });
});
