import { payment as paymentDto, parseJson, stringifyJson } from '@fundrail/contracts';
import { IllegalTransition } from '@fundrail/state-machines';
import { aCollection, aPayment, eventsIn, minutesLater, NOW } from '../testing/payments.builder.ts';
import { endPayment, failPayment, note, toPayment } from './payment.ts';

describe('creating a UPI payment', () => {
  it('is PENDING with the sum of its orders, in old_id order, and expires after 30 minutes (PAY-5)', () => {
    const payment = aCollection();
    expect(payment).toMatchObject({
      status: 'PENDING',
      event_seq: 1,
      debit_date: '2026-12-21',
      upi: { type: 'uri', uri: null },
    });
    expect(payment.amount.toString()).toBe('6001.5000');
    expect(payment.orders.map((share) => share.old_id)).toEqual([11, 12]);
    expect(payment.request?.expires_at).toEqual(minutesLater(30));
  });

  it('is returned as PAY-17 lists it, the amount with four decimals', () => {
    const dto = toPayment(aPayment());
    expect(paymentDto.safeParse(parseJson(stringifyJson(dto))).success).toBe(true);
    expect(stringifyJson(dto)).toContain('"amount":6001.5000');
    expect(dto.upi).toEqual({ type: 'uri', vpa: null, uri: null });
  });
});

describe('ending a payment', () => {
  it.each([
    ['expire', 'payment_expired'],
    ['cancel', 'user_cancelled'],
  ] as const)('%s fails it with %s (PAY-25)', (ending, code) => {
    const outcome = endPayment(aPayment(), ending, NOW);
    expect(outcome.payment).toMatchObject({ status: 'FAILED', failure_code: code, failed_at: NOW });
    expect(toPayment(outcome.payment).failed_reason).not.toBeNull();
    expect(eventsIn(outcome)).toEqual(['payment.failed', 'payment.updated']);
  });

  it('refuses a payment past PENDING, and names both states', () => {
    expect(() => endPayment(aPayment({ status: 'SUCCESS' }), 'cancel', NOW)).toThrow(IllegalTransition);
    expect(() => failPayment(aPayment({ status: 'APPROVED' }), 'fail', 'payment_failed', NOW)).toThrow(
      /APPROVED.*FAILED/,
    );
  });
});

it('an intent is recorded without an event', () => {
  const outcome = note(aPayment(), 'accept_transfer', { transfer_accepted_at: NOW });
  expect(outcome.payment).toMatchObject({ transfer_accepted_at: NOW, event_seq: 1 });
  expect(eventsIn(outcome)).toEqual([]);
});
