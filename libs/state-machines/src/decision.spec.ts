import { amended, created, createdAs, transition } from './decision.ts';
import { mfPurchaseMachine, type MfPurchaseState } from './mf-purchase.machine.ts';
import { mfRedemptionMachine } from './mf-redemption.machine.ts';
import { paymentMachine, type PaymentStatus } from './payment.machine.ts';
import { apply, canApply, IllegalTransition } from './state-machine.ts';

/** Classes, because a decision must also copy rows that are instances. */
class PurchaseRow {
  id = 'mfp_1';
  state: MfPurchaseState = 'pending';
  event_seq = 2;
  confirmed_at: Date | null = null;
}

class PaymentRow {
  id = 7;
  status: PaymentStatus = 'PENDING';
  event_seq = 1;
  late_auth = false;
}

const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour));

describe('transition', () => {
  it('returns the next state, the changes, and the events of the table', () => {
    const row = new PurchaseRow();

    const decision = transition(mfPurchaseMachine, row, 'confirm', { confirmed_at: at(4) });

    expect(decision).toEqual({
      row: { id: 'mfp_1', state: 'confirmed', event_seq: 3, confirmed_at: at(4) },
      trigger: 'confirm',
      from: 'pending',
      events: ['mf_purchase.confirmed'],
    });
  });

  it('does not change the given row', () => {
    const row = new PurchaseRow();

    transition(mfPurchaseMachine, row, 'confirm', { confirmed_at: at(4) });

    expect(row).toEqual(new PurchaseRow());
  });

  it('changes the column that the machine names, and counts two events of one step (EVT-5)', () => {
    const decision = transition(paymentMachine, new PaymentRow(), 'succeed', {});

    expect(decision.row).toEqual({ id: 7, status: 'SUCCESS', event_seq: 3, late_auth: false });
    expect(decision.events).toEqual(['payment.success', 'payment.updated']);
  });

  it('refuses a step that the state forbids, naming both states (CALL-5)', () => {
    const row = { ...new PurchaseRow(), state: 'failed' as const };

    expect(() => transition(mfPurchaseMachine, row, 'confirm', {})).toThrow(
      new IllegalTransition('mf_purchase', 'failed', 'confirm', 'confirmed'),
    );
  });

  it('names both states in the message that the client reads', () => {
    const { message } = new IllegalTransition('mf_purchase', 'failed', 'confirm', 'confirmed');

    expect(message).toBe(
      'mf_purchase cannot go from "failed" to "confirmed": "confirm" is not allowed in state "failed"',
    );
  });
});

describe('createdAs', () => {
  it('starts in the state of that creation with its events, and names the creation', () => {
    const decision = createdAs(mfRedemptionMachine, new PurchaseRow(), 'create_skipped');

    expect(decision).toMatchObject({
      row: { state: 'cancelled', event_seq: 1 },
      trigger: 'create_skipped',
      from: null,
      events: ['mf_redemption.cancelled'],
    });
  });

  it('refuses a creation that the table does not have', () => {
    expect(() => createdAs(mfPurchaseMachine, new PurchaseRow(), 'create_requested')).toThrow('no creation');
  });
});

describe('created', () => {
  it('starts in the initial state with the events of the creation, and ignores the given state and sequence', () => {
    const row = { ...new PaymentRow(), status: 'SUCCESS' as PaymentStatus, event_seq: 9 };

    const decision = created(paymentMachine, row);

    expect(decision).toEqual({
      row: { id: 7, status: 'PENDING', event_seq: 1, late_auth: false },
      trigger: 'create',
      from: null,
      events: ['payment.pending'],
    });
  });
});

describe('amended', () => {
  it('changes columns and counts its events without a step', () => {
    const row = { ...new PaymentRow(), status: 'FAILED' as const, event_seq: 3 };

    const decision = amended(paymentMachine, row, 'record_late_success', {
      changes: { late_auth: true },
      events: ['payment.updated'],
    });

    expect(decision).toEqual({
      row: { id: 7, status: 'FAILED', event_seq: 4, late_auth: true },
      trigger: 'record_late_success',
      from: 'FAILED',
      events: ['payment.updated'],
    });
  });
});

/** Never called: the type check fails when one of these compiles. */
export function mustNotCompile(row: PurchaseRow, paymentRow: PaymentRow): void {
  // @ts-expect-error -- an unknown state
  canApply(mfPurchaseMachine, 'sleeping', 'confirm');
  // @ts-expect-error -- an unknown trigger
  apply(mfPurchaseMachine, 'pending', 'jump');
  // @ts-expect-error -- another machine's trigger
  transition(mfPurchaseMachine, row, 'start_transfer', {});
  // @ts-expect-error -- a column that the row does not have
  transition(mfPurchaseMachine, row, 'confirm', { confirmed: at(4) });
  // @ts-expect-error -- the state comes from the machine alone
  transition(mfPurchaseMachine, row, 'confirm', { state: 'confirmed' });
  // @ts-expect-error -- a payment's row in the purchase's machine
  transition(mfPurchaseMachine, paymentRow, 'confirm', {});
}
