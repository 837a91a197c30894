import { Decimal } from '@fundrail/contracts';
import { brokenRules, referenceOf } from './invariants.ts';
import type { ModelFacts } from './model-facts.ts';
import { OutsideWorld } from './outside-world.ts';

const rupees = (text: string) => Decimal.parse(text);
const ID = 1001;
const event = (sequence: number, type: string) => ({ aggregate_id: String(ID), sequence, type });
const step = (trigger: string, from_status: string, to_status: string, event_seq: number) => ({
  payment_id: ID,
  trigger,
  from_status,
  to_status,
  event_seq,
});

/** A payment of two orders, ₹1,000 each: one transferred and successful, one refunded by us. */
function sound(): ModelFacts {
  return {
    payments: [
      {
        id: ID,
        status: 'APPROVED',
        received_amount: rupees('2000'),
        refunded_amount: rupees('1000'),
        transfer_reference: 'T1',
      },
    ],
    captures: [{ payment_id: ID, provider_reference: 'pay_1', amount: rupees('2000') }],
    refunds: [
      {
        payment_id: ID,
        status: 'SUCCESSFUL',
        reason: 'order_failed',
        amount: rupees('1000'),
        returned_by: 'provider',
        amc_order_ids: [2],
      },
    ],
    shares: [
      { payment_id: ID, old_id: 1, live: true, amount: rupees('1000') },
      { payment_id: ID, old_id: 2, live: false, amount: rupees('1000') },
    ],
    orders: [
      { old_id: 1, state: 'successful', claimed_by: ID },
      { old_id: 2, state: 'failed', claimed_by: null },
    ],
    history: [
      step('succeed', 'PENDING', 'SUCCESS', 3),
      step('refund', 'SUCCESS', 'SUCCESS', 4),
      step('start_transfer', 'SUCCESS', 'INITIATED', 6),
      step('settle', 'INITIATED', 'APPROVED', 8),
    ],
    events: [
      'payment.pending',
      'payment.success',
      'payment.updated',
      'payment.updated',
      'payment.initiated',
      'payment.updated',
      'payment.approved',
      'payment.updated',
    ].map((type, index) => event(index + 1, type)),
  };
}

function soundWorld(): OutsideWorld {
  const world = new OutsideWorld();
  world.accounts.set(referenceOf(ID), {
    captures: [{ id: 'pay_1', amount: rupees('2000') }],
    refunds: new Map([['R1', rupees('1000')]]),
    amount: rupees('2000'),
    failed: null,
  });
  const shares = [{ order: 'mfp_1', old_id: 1, amount: rupees('1000') }];
  const transfer = { reference: 'T1', payment_reference: referenceOf(ID), shares };
  world.transfers.set('T1', { transfer, status: 'settled' });
  return world;
}

type Falsified = Partial<{ -readonly [K in keyof ModelFacts]: ModelFacts[K] }>;
const payment =
  (changes: object) =>
  (facts: ModelFacts): Falsified => ({
    payments: facts.payments.map((row) => ({ ...row, ...changes })),
  });
const withoutEvent =
  (which: number) =>
  (facts: ModelFacts): Falsified => ({
    events: facts.events.filter(({ sequence }) => sequence !== which),
  });
const returned = { ...sound().refunds[0]!, returned_by: 'registrar' };

/** Falsified facts, and the fault that has to be reported. */
const FALSIFIED: readonly (readonly [string, (facts: ModelFacts) => Falsified])[] = [
  ['received is not the captures', payment({ received_amount: rupees('1999.99') })],
  ['refunded is not the refunds', payment({ refunded_amount: rupees('999.99') })],
  ['more went out than came in', payment({ refunded_amount: rupees('1000.01') })],
  ['it is dead and holds money', payment({ status: 'FAILED', transfer_reference: null })],
  ['it holds money, or was not settled', payment({ transfer_reference: null })],
  [
    'it holds another amount than its remaining shares',
    (facts) => ({ ...payment({ status: 'SUCCESS', transfer_reference: null })(facts), refunds: [] }),
  ],
  [
    'a capture that the world does not know',
    ({ captures }) => ({ captures: captures.map((row) => ({ ...row, provider_reference: 'pay_2' })) }),
  ],
  ['in total: more is recorded than the world took', payment({ received_amount: rupees('2000.01') })],
  ['in total: more went out than came in', payment({ refunded_amount: rupees('1000.01') })],
  [
    'the registrar refunded what was not transferred',
    (facts) => ({ ...payment({ status: 'REJECTED' })(facts), refunds: [...facts.refunds, returned] }),
  ],
  ['the registrar refunded an order twice', ({ refunds }) => ({ refunds: [...refunds, returned, returned] })],
  [
    'the registrar refunded an order that has not failed',
    ({ refunds }) => ({ refunds: [...refunds, { ...returned, amc_order_ids: [1] }] }),
  ],
  [
    'is dead and holds an order',
    ({ payments, shares }) => ({
      payments: [...payments, { ...payments[0]!, id: 7, status: 'REJECTED' }],
      shares: [...shares, { ...shares[0]!, payment_id: 7, old_id: 3 }],
    }),
  ],
  [
    'order 1 has several live payments',
    ({ shares }) => ({ shares: [...shares, { ...shares[0]!, payment_id: 7 }] }),
  ],
  [
    'order 1 is claimed by null, against payments',
    ({ orders }) => ({ orders: orders.map((row) => ({ ...row, claimed_by: null })) }),
  ],
  [
    'order 2 is claimed by 1001, against payments',
    ({ orders }) => ({ orders: orders.map((row) => ({ ...row, claimed_by: ID })) }),
  ],
  ['events have a gap', withoutEvent(4)],
  ['was not announced', withoutEvent(1)],
  [
    'settle published payment.updated,payment.approved',
    ({ events }) => ({
      events: events.map((row) =>
        row.sequence < 7
          ? row
          : { ...row, type: row.sequence === 7 ? 'payment.updated' : 'payment.approved' },
      ),
    }),
  ],
  [
    'refund published payment.updated,payment.initiated',
    ({ history }) => ({
      history: history.map((row) => (row.event_seq === 4 ? { ...row, event_seq: 5 } : row)),
    }),
  ],
  [
    'left FAILED for SUCCESS',
    ({ history }) => ({
      history: history.map((row, at) => (at === 0 ? { ...row, from_status: 'FAILED' } : row)),
    }),
  ],
  ['events without a step', ({ events }) => ({ events: [...events, event(9, 'payment.updated')] })],
];

describe('the rules of the model test', () => {
  it('given correct facts, when they are checked, then nothing is reported', () => {
    expect(brokenRules(sound(), soundWorld())).toEqual([]);
  });

  it.each(FALSIFIED)(
    'given falsified facts, when they are checked, then it is reported: %s',
    (says, falsify) => {
      const facts = sound();
      const broken = brokenRules({ ...facts, ...falsify(facts) }, soundWorld());
      expect(broken.filter((fault) => fault.includes(says))).not.toEqual([]);
    },
  );

  it('given a world that refunded more than we requested, when it is checked, then it is reported', () => {
    const world = soundWorld();
    world.accounts.get(referenceOf(ID))?.refunds.set('R2', rupees('0.01'));
    expect(brokenRules(sound(), world).join()).toContain('the world refunded more than we requested');
  });

  it('given an order that was confirmed under a payment, when that refunded its share as not confirmed, then it is reported', () => {
    const facts = sound();
    const refunds = facts.refunds.map((row) => ({ ...row, reason: 'order_not_confirmed' }));
    const broken = (confirmed: number) =>
      brokenRules({ ...facts, refunds }, soundWorld(), {
        confirmed: [{ old_id: confirmed, payment: ID }],
        isLate: false,
      });
    expect(broken(2)).toEqual([`order 2 was confirmed under payment ${ID}, which refunded its money`]);
    expect(broken(1)).toEqual([]);
  });

  it('given events that may be late, then only a dead payment may still hold an order', () => {
    const facts = sound();
    const held = (which: number, claimed_by: number) =>
      facts.orders.map((row) => (row.old_id === which ? { ...row, claimed_by } : row));
    const broken = (orders: ModelFacts['orders']) =>
      brokenRules({ ...facts, orders }, soundWorld(), { confirmed: [], isLate: true });
    expect(broken(held(2, 7))).toEqual([]);
    expect(broken(held(1, 7))).toEqual(['order 1 is claimed by 7, against payments']);
  });
});
