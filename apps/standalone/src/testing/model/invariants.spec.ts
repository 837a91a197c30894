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

/** A payment of two orders, ₹1,000 each: one transferred and successful, one given back by us. */
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

type Doctored = Partial<{ -readonly [K in keyof ModelFacts]: ModelFacts[K] }>;
const payment =
  (changes: object) =>
  (facts: ModelFacts): Doctored => ({
    payments: facts.payments.map((row) => ({ ...row, ...changes })),
  });
const untold =
  (which: number) =>
  (facts: ModelFacts): Doctored => ({
    events: facts.events.filter(({ sequence }) => sequence !== which),
  });
const returned = { ...sound().refunds[0]!, returned_by: 'registrar' };

/** What is doctored, and the words that have to tell of it. */
const DOCTORED: readonly (readonly [string, (facts: ModelFacts) => Doctored])[] = [
  ['received is not the captures', payment({ received_amount: rupees('1999.99') })],
  ['refunded is not the refunds', payment({ refunded_amount: rupees('999.99') })],
  ['more went out than came in', payment({ refunded_amount: rupees('1000.01') })],
  ['it is dead and holds money', payment({ status: 'FAILED', transfer_reference: null })],
  ['it holds money, or was not settled', payment({ transfer_reference: null })],
  [
    'it holds another sum than the shares that are left',
    (facts) => ({ ...payment({ status: 'SUCCESS', transfer_reference: null })(facts), refunds: [] }),
  ],
  [
    'a capture that the world does not know',
    ({ captures }) => ({ captures: captures.map((row) => ({ ...row, provider_reference: 'pay_2' })) }),
  ],
  ['in total: more is written down than the world took', payment({ received_amount: rupees('2000.01') })],
  ['in total: more went out than came in', payment({ refunded_amount: rupees('1000.01') })],
  [
    'the registrar gave back what was not transferred',
    (facts) => ({ ...payment({ status: 'REJECTED' })(facts), refunds: [...facts.refunds, returned] }),
  ],
  [
    'the registrar gave an order back twice',
    ({ refunds }) => ({ refunds: [...refunds, returned, returned] }),
  ],
  [
    'the registrar gave back an order that has not failed',
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
  ['events have a gap', untold(4)],
  ['was not announced', untold(1)],
  [
    'settle told payment.updated,payment.approved',
    ({ events }) => ({
      events: events.map((row) =>
        row.sequence < 7
          ? row
          : { ...row, type: row.sequence === 7 ? 'payment.updated' : 'payment.approved' },
      ),
    }),
  ],
  [
    'refund told payment.updated,payment.initiated',
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
  it('given sound facts, when they are looked at, then nothing is wrong', () => {
    expect(brokenRules(sound(), soundWorld())).toEqual([]);
  });

  it.each(DOCTORED)('given doctored facts, when they are looked at, then it is told: %s', (says, doctor) => {
    const facts = sound();
    const broken = brokenRules({ ...facts, ...doctor(facts) }, soundWorld());
    expect(broken.filter((fault) => fault.includes(says))).not.toEqual([]);
  });

  it('given a world that gave back more than we asked for, when it is looked at, then it is told', () => {
    const world = soundWorld();
    world.accounts.get(referenceOf(ID))?.refunds.set('R2', rupees('0.01'));
    expect(brokenRules(sound(), world).join()).toContain('the world gave back more than we asked for');
  });
});
