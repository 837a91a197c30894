import {
  EVENTS,
  MANDATE_STATUSES,
  MF_ORDER_STATES,
  MF_PLAN_STATES,
  PAYMENT_STATUSES,
} from '@fundrail/contracts';
import { MACHINES } from './machines.ts';
import { apply, canApply, IllegalTransition } from './state-machine.ts';

/** The specification, written down a second time and not taken from the machines: `from → to` of each trigger. */
interface Expectation {
  readonly initial: string;
  readonly states: string;
  readonly steps: Readonly<Record<string, readonly [from: string, to: string, emits: string]>>;
}

const ORDER_STATES = 'under_review pending confirmed submitted successful failed cancelled reversed';

const CONTRACT: Readonly<Record<string, Expectation>> = {
  mf_purchase: {
    initial: 'under_review',
    states: ORDER_STATES,
    steps: {
      pass_review: ['under_review', 'pending', 'mf_purchase.review_completed'],
      fail_review: ['under_review', 'failed', 'mf_purchase.failed'],
      record_consent: ['pending', 'pending', 'mf_purchase.consent_recorded'],
      confirm: ['pending', 'confirmed', 'mf_purchase.confirmed'],
      cancel: ['pending', 'cancelled', 'mf_purchase.cancelled'],
      expire: ['pending', 'failed', 'mf_purchase.failed'],
      submit: ['confirmed', 'submitted', 'mf_purchase.submitted'],
      reject_submission: ['confirmed', 'failed', 'mf_purchase.failed'],
      succeed: ['submitted', 'successful', 'mf_purchase.successful'],
      fail: ['submitted', 'failed', 'mf_purchase.failed'],
      expire_unpaid: ['submitted', 'failed', 'mf_purchase.failed'],
      reverse: ['successful', 'reversed', 'mf_purchase.reversed'],
    },
  },
  mf_redemption: {
    initial: 'under_review',
    states: ORDER_STATES,
    steps: {
      pass_review: ['under_review', 'pending', 'mf_redemption.review_completed'],
      fail_review: ['under_review', 'failed', 'mf_redemption.failed'],
      record_consent: ['pending', 'pending', 'mf_redemption.consent_recorded'],
      confirm: ['pending', 'confirmed', 'mf_redemption.confirmed'],
      cancel: ['pending', 'cancelled', 'mf_redemption.cancelled'],
      expire: ['pending', 'failed', 'mf_redemption.failed'],
      submit: ['confirmed', 'submitted', 'mf_redemption.submitted'],
      reject_submission: ['confirmed', 'failed', 'mf_redemption.failed'],
      fail_collection: ['confirmed', 'failed', 'mf_redemption.failed'],
      succeed: ['submitted', 'successful', 'mf_redemption.successful'],
      fail: ['submitted', 'failed', 'mf_redemption.failed'],
      reverse: ['successful', 'reversed', 'mf_redemption.reversed'],
    },
  },
  payment: {
    initial: 'PENDING',
    states: 'PENDING SUBMITTED SUCCESS INITIATED APPROVED FAILED REJECTED',
    steps: {
      issue_uri: ['PENDING', 'PENDING', 'payment.updated'],
      send_collect: ['PENDING', 'PENDING', 'payment.updated'],
      submit: ['PENDING', 'SUBMITTED', 'payment.submitted payment.updated'],
      succeed: ['PENDING SUBMITTED', 'SUCCESS', 'payment.success payment.updated'],
      fail: ['PENDING SUBMITTED', 'FAILED', 'payment.failed payment.updated'],
      expire: ['PENDING', 'FAILED', 'payment.failed payment.updated'],
      cancel: ['PENDING', 'FAILED', 'payment.failed payment.updated'],
      start_transfer: ['SUCCESS', 'INITIATED', 'payment.initiated payment.updated'],
      settle: ['INITIATED', 'APPROVED', 'payment.approved payment.updated'],
      reject_transfer: ['SUCCESS INITIATED', 'REJECTED', 'payment.rejected payment.updated'],
    },
  },
  mandate: {
    initial: 'CREATED',
    states: 'CREATED RECEIVED SUBMITTED APPROVED REJECTED PAUSED CANCELLED EXPIRED',
    steps: {
      receive: ['CREATED', 'RECEIVED', 'mandate.received'],
      submit: ['CREATED', 'SUBMITTED', 'mandate.submitted'],
      approve: ['CREATED RECEIVED SUBMITTED', 'APPROVED', 'mandate.approved'],
      reject: ['CREATED RECEIVED SUBMITTED', 'REJECTED', 'mandate.rejected'],
      pause: ['APPROVED', 'PAUSED', 'mandate.paused'],
      resume: ['PAUSED', 'APPROVED', 'mandate.resumed'],
      modify: ['APPROVED', 'APPROVED', 'mandate.modified'],
      cancel: ['APPROVED PAUSED', 'CANCELLED', 'mandate.cancelled'],
      expire: ['APPROVED PAUSED', 'EXPIRED', 'mandate.expired'],
    },
  },
  mandate_debit: {
    initial: 'admitted',
    states: 'admitted notifying planned attempting succeeded failed cancelled released',
    steps: {
      notify: ['admitted notifying planned', 'notifying', ''],
      plan: ['admitted notifying planned attempting', 'planned', ''],
      reschedule: ['admitted notifying planned attempting', 'planned', 'mandate_debit.planned'],
      begin_attempt: ['planned', 'attempting', ''],
      accept: ['attempting', 'attempting', 'mandate_debit.submitted'],
      succeed: ['planned attempting', 'succeeded', 'mandate_debit.succeeded'],
      fail: ['admitted notifying planned attempting', 'failed', 'mandate_debit.failed'],
      cancel: ['admitted notifying planned', 'cancelled', 'mandate_debit.cancelled'],
      end: ['admitted notifying planned attempting succeeded', 'failed', ''],
      release: ['admitted', 'released', ''],
    },
  },
  debit_attempt: {
    initial: 'begun',
    states: 'begun accepted succeeded failed unreceived',
    steps: {
      accept: ['begun', 'accepted', ''],
      succeed: ['begun accepted failed unreceived', 'succeeded', ''],
      fail: ['begun accepted', 'failed', ''],
      give_up: ['begun accepted', 'unreceived', ''],
    },
  },
  upi_request: {
    initial: 'waiting',
    states: 'waiting requested sent ending closed',
    steps: {
      request: ['waiting', 'requested', ''],
      send: ['requested', 'sent', ''],
      end: ['requested sent', 'ending', ''],
      close: ['waiting requested sent ending', 'closed', ''],
    },
  },
  checkout: {
    initial: 'offered',
    states: 'offered opened ending closed',
    steps: {
      open: ['offered', 'opened', ''],
      end: ['offered opened', 'ending', ''],
      close: ['offered opened ending', 'closed', ''],
    },
  },
  authorisation: {
    initial: 'asked',
    states: 'asked received submitted approved rejected',
    steps: {
      receive: ['asked', 'received', ''],
      submit: ['asked received', 'submitted', ''],
      approve: ['asked received submitted rejected', 'approved', ''],
      reject: ['asked received submitted', 'rejected', ''],
    },
  },
  mf_redemption_plan: {
    initial: 'created',
    states: 'created review_completed confirmed submitted active completed cancelled failed',
    steps: {
      pass_review: ['created', 'review_completed', 'mf_redemption_plan.review_completed'],
      fail_review: ['created', 'failed', 'mf_redemption_plan.failed'],
      confirm: ['review_completed', 'confirmed', 'mf_redemption_plan.confirmed'],
      submit: ['confirmed', 'submitted', 'mf_redemption_plan.submitted'],
      activate: ['submitted', 'active', 'mf_redemption_plan.activated'],
      reject_submission: ['submitted', 'failed', 'mf_redemption_plan.failed'],
      complete: ['active', 'completed', 'mf_redemption_plan.completed'],
      cancel: [
        'created review_completed confirmed submitted active',
        'cancelled',
        'mf_redemption_plan.cancelled',
      ],
    },
  },
  mf_purchase_plan: {
    initial: 'created',
    states: 'created review_completed confirmed submitted active completed cancelled failed',
    steps: {
      pass_review: ['created', 'review_completed', 'mf_purchase_plan.review_completed'],
      fail_review: ['created', 'failed', 'mf_purchase_plan.failed'],
      confirm: ['review_completed', 'confirmed', 'mf_purchase_plan.confirmed'],
      submit: ['confirmed', 'submitted', 'mf_purchase_plan.submitted'],
      activate: ['submitted', 'active', 'mf_purchase_plan.activated'],
      reject_submission: ['submitted', 'failed', 'mf_purchase_plan.failed'],
      complete: ['active', 'completed', 'mf_purchase_plan.completed'],
      cancel: [
        'created review_completed confirmed submitted active',
        'cancelled',
        'mf_purchase_plan.cancelled',
      ],
      auto_cancel: ['active', 'cancelled', 'mf_purchase_plan.cancelled'],
    },
  },
  erasure: {
    initial: 'scheduled',
    states: 'scheduled running done',
    steps: {
      postpone: ['scheduled running', 'scheduled', ''],
      run: ['scheduled', 'running', ''],
      finish: ['running', 'done', ''],
    },
  },
};

const words = (text: string) => text.split(' ');

/** Every (state, trigger) cell; `to` is null where there is no such step. */
function cellsOf({ states, steps }: Expectation) {
  return words(states).flatMap((state) =>
    Object.entries(steps).map(([trigger, [from, to]]) => ({
      state,
      trigger,
      to: words(from).includes(state) ? to : null,
    })),
  );
}

/** Events on a machine's stream that no step of it emits: facts about another object, and what a plan has created. */
const EMITTED_WITHOUT_STEP = [
  'payment.mandate_fact',
  'payment.debit_fact',
  'payment.debit_handed_over',
  'mf_redemption.collection_returned',
  'mf_redemption.paid_out',
  'mf_redemption_plan.mandate_unusable',
  'mf_redemption_plan.installment_generated',
  'mf_purchase_plan.updated',
  'mf_purchase_plan.paused',
  'mf_purchase_plan.resumed',
  'mf_purchase_plan.installment_failed',
  'mf_purchase_plan.step_up_held',
  'mf_purchase_plan.mandate_unusable',
  'mf_purchase_plan.installment_generated',
];

const machineOf = (name: string) => {
  const machine = MACHINES.find((candidate) => candidate.name === name);
  if (!machine) throw new Error(`no machine ${name}`);
  return machine;
};

it('has exactly the machines of the specification', () => {
  expect(MACHINES.map((machine) => machine.name).sort()).toEqual(Object.keys(CONTRACT).sort());
});

describe.each(Object.entries(CONTRACT))('%s', (name, expected) => {
  const machine = machineOf(name);

  it('has the states, the initial state and the triggers of the specification, and no others (DEB-19, DEB-20, MAN-6, ORD-17, PLAN-6, PAY-23, SIP-6)', () => {
    expect([...machine.states].sort()).toEqual(words(expected.states).sort());
    expect(machine.initial).toBe(expected.initial);
    expect(Object.keys(machine.transitions).sort()).toEqual(Object.keys(expected.steps).sort());
  });

  it.each(cellsOf(expected))('$state × $trigger → $to', ({ state, trigger, to }) => {
    expect(canApply(machine, state, trigger)).toBe(to !== null);
    if (to === null) expect(() => apply(machine, state, trigger)).toThrow(IllegalTransition);
    else expect(apply(machine, state, trigger)).toBe(to);
  });

  it.each(Object.entries(expected.steps))(
    '%s emits the events of the specification',
    (trigger, [, , emits]) => {
      expect(machine.transitions[trigger]?.emits.join(' ')).toBe(emits);
    },
  );
});

describe('creation', () => {
  it.each([
    ['mf_purchase', 'mf_purchase.created'],
    ['mf_redemption', 'mf_redemption.created'],
    ['payment', 'payment.pending'],
    ['mandate', 'mandate.created'],
    ['mf_redemption_plan', 'mf_redemption_plan.created'],
    ['mf_purchase_plan', 'mf_purchase_plan.created'],
  ])('of %s emits %s alone', (name, event) => {
    expect(machineOf(name).creation.emits).toEqual([event]);
  });

  it.each(['mandate_debit', 'debit_attempt', 'upi_request', 'checkout', 'authorisation', 'erasure'])(
    'of %s emits nothing',
    (name) => {
      expect(machineOf(name).creation.emits).toEqual([]);
    },
  );

  it('of an authorisation by UPI is the intent of its request, because it waits for no order (MAN-11)', () => {
    expect(machineOf('upi_request').otherCreations).toEqual({
      create_requested: { to: 'requested', emits: [] },
    });
  });

  it('of a skipped installment makes it cancelled and emits no other event (ORD-26)', () => {
    expect(machineOf('mf_redemption').otherCreations).toEqual({
      create_skipped: { to: 'cancelled', emits: ['mf_redemption.cancelled'] },
    });
    expect(machineOf('mf_purchase').otherCreations).toEqual({
      create_skipped: { to: 'cancelled', emits: ['mf_purchase.cancelled'] },
    });
  });
});

describe('names shared with the wire', () => {
  it('are the states of the DTOs', () => {
    expect(machineOf('mf_purchase').states).toEqual(MF_ORDER_STATES);
    expect(machineOf('mf_redemption').states).toEqual(MF_ORDER_STATES);
    expect(machineOf('payment').states).toEqual(PAYMENT_STATUSES);
    expect(machineOf('mandate').states).toEqual(MANDATE_STATUSES);
    expect(machineOf('mf_redemption_plan').states).toEqual(MF_PLAN_STATES);
    expect(machineOf('mf_purchase_plan').states).toEqual(MF_PLAN_STATES);
  });

  it.each(Object.keys(CONTRACT))('%s emits every event of its catalogue in some step', (name) => {
    const machine = machineOf(name);
    const emitted = Object.values(machine.transitions).flatMap((step) => step.emits);
    const declared = Object.keys(EVENTS).filter(
      (type) => type.startsWith(`${name}.`) && !EMITTED_WITHOUT_STEP.includes(type),
    );

    expect(new Set([...machine.creation.emits, ...emitted])).toEqual(new Set(declared));
  });
});
