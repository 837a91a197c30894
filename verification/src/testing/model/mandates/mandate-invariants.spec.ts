import { Decimal } from '@fundrail/contracts';
import { MandatesWorld } from './mandates-world.ts';
import { FakeClock } from '@fundrail/testing';
import { brokenMandateRules } from './mandate-invariants.ts';
import type { MandateFactsRead } from './mandates-facts.ts';
import { stillOpen } from './mandates-rest.ts';

const AUTHORISATION = 1;
const DEBIT = 2;
const MANDATE = 9;
const AT = new Date('2026-12-22T13:00:00+05:30');
const event = (sequence: number, type: string) => ({ aggregate_id: String(MANDATE), sequence, type });
const NO_DEBIT = { mandate_type: null, notified_at: null, notice_proof: null, notice_withdrawn_at: null };

/** An approved Autopay mandate with a debit under way: notified, due, at its first attempt. */
function sound(): MandateFactsRead {
  const payment = { mandate_id: MANDATE, failure_code: null, failed_at: null };
  const step = { mandate_id: MANDATE, from_status: null };
  return {
    money: {
      payments: [
        {
          ...{ id: DEBIT, status: 'SUBMITTED', transfer_reference: null },
          ...{ received_amount: Decimal.parse('0'), refunded_amount: Decimal.parse('0') },
        },
      ],
      captures: [],
      refunds: [],
      shares: [{ payment_id: DEBIT, old_id: 5, live: true, amount: Decimal.parse('1000') }],
      orders: [{ old_id: 5, state: 'submitted', claimed_by: DEBIT }],
      history: [],
      events: [{ aggregate_id: String(DEBIT), sequence: 1, type: 'payment.pending' }],
    },
    payments: [
      { ...payment, ...NO_DEBIT, id: AUTHORISATION, payment_type: 'AUTH_TRANSACTION', status: 'SUCCESS' },
      {
        ...{ ...payment, id: DEBIT, payment_type: 'NACH', status: 'SUBMITTED', mandate_type: 'UPI' },
        ...{ notified_at: AT, notice_proof: 'delivered', notice_withdrawn_at: null },
      },
    ],
    attempts: [{ payment_id: DEBIT, number: 1, ended_at: null }],
    mandates: [
      {
        ...{ id: MANDATE, mandate_status: 'APPROVED', mandate_token: 'tok1', valid_to: '2027-12-31' },
        authorising_payment: null,
      },
    ],
    steps: [
      { ...step, trigger: 'create', to_status: 'CREATED', event_seq: 1 },
      { ...step, trigger: 'approve', to_status: 'APPROVED', event_seq: 2 },
    ],
    events: [event(1, 'mandate.created'), event(2, 'mandate.approved')],
    debits: [{ payment_id: DEBIT, mandate_id: MANDATE, state: 'attempting' }],
    revocations: [],
  };
}

const CONTACT = { email: null, mobile: null };

function world(): MandatesWorld {
  const world = new MandatesWorld(new FakeClock(AT));
  const registration = {
    ...{
      reference: 'P1',
      payment_id: AUTHORISATION,
      mandate_id: MANDATE,
      tenant: 'demo',
      mandate_ref: 'man_9',
      payee_name: 'Operator',
    },
    mandate_type: 'UPI',
    ...{ limit: Decimal.parse('5000'), valid_from: '2026-12-01', valid_to: '2027-12-31' },
    payer: { name: 'A', account_number: '1', ifsc_code: 'HDFC0000001', account_type: 'savings' },
    ...{ contact: CONTACT, expires_at: AT },
  } as const;
  world.tokens.set('tok1', { token: 'tok1', provider: 'GATEWAYPOA', registration, state: 'active' });
  const debit = {
    ...{
      reference: 'P2A1',
      payment_reference: 'P000000000002',
      payment_id: DEBIT,
      tenant: 'demo',
      attempt: 1,
    },
    ...{ amount: Decimal.parse('1000'), execute_at: AT, notice_number: 1, notice_reference: null },
    mandate: { mandate_type: 'UPI', mandate_token: 'tok1', provider_id: null, umrn: null },
    contact: CONTACT,
  } as const;
  world.notices.set('P000000000002', {
    ...{ at: AT, amount: debit.amount, execute_at: AT, debit, withdrawn: false, failed: false },
  });
  return world;
}

type Falsified = Partial<MandateFactsRead>;
type Falsify = (facts: MandateFactsRead) => Falsified;
const mandate =
  (changes: object): Falsify =>
  ({ mandates }) => ({ mandates: mandates.map((row) => ({ ...row, ...changes })) });
const payment =
  (id: number, changes: object): Falsify =>
  ({ payments }) => ({ payments: payments.map((row) => (row.id === id ? { ...row, ...changes } : row)) });
const order =
  (changes: object): Falsify =>
  ({ money }) => ({ money: { ...money, orders: money.orders.map((row) => ({ ...row, ...changes })) } });
const both =
  (...falsifications: readonly Falsify[]): Falsify =>
  (facts) =>
    falsifications.reduce<Falsified>((done, falsify) => ({ ...done, ...falsify({ ...facts, ...done }) }), {});
const ENDED_ATTEMPT: Falsified = {
  attempts: [{ payment_id: DEBIT, number: 1, ended_at: AT }],
};
const running = { ...sound().payments[0]!, status: 'PENDING' };

/** Falsified facts, and the fault that has to be reported. */
const FALSIFIED: readonly (readonly [string, Falsify])[] = [
  [
    'approve led from CREATED to PAUSED',
    ({ steps }) => ({
      steps: steps.map((row) => (row.trigger === 'approve' ? { ...row, to_status: 'PAUSED' } : row)),
    }),
  ],
  ['its last step led to APPROVED', mandate({ mandate_status: 'PAUSED' })],
  ['its events have a gap', ({ events }) => ({ events: events.slice(1) })],
  ['it published more than its steps', ({ events }) => ({ events: [...events, event(3, 'mandate.paused')] })],
  ['it is approved without an approval', mandate({ mandate_token: 'tok2' })],
  ['it is on its way without an answer', mandate({ mandate_status: 'SUBMITTED', mandate_token: null })],
  [
    'mandate 9 has 2 running authorisations',
    ({ payments }) => ({ payments: [...payments, { ...running, id: 3 }, { ...running, id: 4 }] }),
  ],
  [
    'mandate 9 is authorised by 3, but null holds it',
    ({ payments }) => ({ payments: [...payments, { ...running, id: 3 }] }),
  ],
  ['mandate 9 is held by 1, which is over', mandate({ authorising_payment: AUTHORISATION })],
  [
    'order 5 has debits 2 and 3',
    ({ money }) => ({
      money: { ...money, shares: [...money.shares, { ...money.shares[0]!, payment_id: 3 }] },
    }),
  ],
  ['debit 2 was tried without a proved notice', payment(DEBIT, { notice_proof: null })],
  [
    'debit 2 is SUBMITTED, and failed at mandates',
    ({ debits }) => ({ debits: debits.map((row) => ({ ...row, state: 'failed' })) }),
  ],
  ['debit 2 is SUBMITTED, and not admitted at mandates', () => ({ debits: [] })],
  [
    '7 was admitted and is not a payment',
    ({ debits }) => ({ debits: [...debits, { ...debits[0]!, payment_id: 7 }] }),
  ],
  [
    'debit 2 waits, and its mandate 9 is over',
    both(
      mandate({ mandate_status: 'CANCELLED' }),
      payment(DEBIT, { status: 'PENDING' }),
      () => ENDED_ATTEMPT,
    ),
  ],
  ['debit 2 is SUBMITTED, and its order is over', both(order({ state: 'failed' }), () => ENDED_ATTEMPT)],
  [
    'debit 2 was given up after insufficient_funds, with attempts left',
    both(
      payment(DEBIT, { status: 'FAILED', failure_code: 'insufficient_funds', failed_at: AT }),
      () => ENDED_ATTEMPT,
    ),
  ],
];

/** Facts that are allowed for a while, but not at the end. */
const STILL_OPEN: readonly (readonly [string, Falsify])[] = [
  ['payment 2 is SUBMITTED forever', () => ({})],
  ['an attempt of 2 is open forever', () => ({})],
  ['tok1 is not revoked', () => ({ revocations: [{ mandate_token: 'tok1' }] })],
  [
    'the notice of 2 was not taken back',
    both(payment(DEBIT, { status: 'FAILED', failed_at: AT }), () => ({ attempts: [] })),
  ],
  ['tok1 is active at its provider, and not needed', mandate({ mandate_status: 'CANCELLED' })],
  ['mandate 9 is PAUSED, and not so at its provider', mandate({ mandate_status: 'PAUSED' })],
];

describe('the rules of mandates and debits', () => {
  it('given correct facts, when they are checked, then nothing is reported', () => {
    expect(brokenMandateRules(sound(), world(), true)).toEqual([]);
  });

  it.each(FALSIFIED)(
    'given falsified facts, when they are checked, then it is reported: %s',
    (says, falsify) => {
      const facts = sound();
      const broken = brokenMandateRules({ ...facts, ...falsify(facts) }, world(), true);
      expect(broken.filter((fault) => fault.includes(says))).not.toEqual([]);
    },
  );

  it.each(STILL_OPEN)(
    'given the end of a sequence, when it is checked, then it is reported: %s',
    (says, falsify) => {
      const facts = sound();
      expect(stillOpen({ ...facts, ...falsify(facts) }, world())).toContain(says);
    },
  );

  it('given money that is unknown here, when the end is checked, then it is reported', () => {
    const played = world();
    const captures = [{ id: 'c1', amount: Decimal.parse('1000') }];
    played.accounts.set('P000000000002', {
      captures,
      refunds: new Map(),
      amount: Decimal.parse('1000'),
      failed: null,
    });
    expect(stillOpen(sound(), played)).toContain('1 captures of payment 2 are not what it has received');
  });
});
