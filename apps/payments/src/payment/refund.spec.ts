import { aPayment, capturedAs, dueIn, eventsIn, NOW } from '../testing/payments.builder.ts';
import { captured } from './capture.ts';
import { toPayment, type Payment } from './payment.ts';
import { refundAnswered, sharesLeft } from './refund.ts';

const FIRST = 'R000000001001001';
const refused = { status: 'failed', failure_code: 'refund_failed' } as const;
const late = (): Payment =>
  captured(aPayment({ status: 'FAILED', failure_code: 'payment_expired' }), capturedAs('c1'), NOW).payment;

describe('a refund', () => {
  it('is accepted without an event, and successful with one', () => {
    const accepted = refundAnswered(late(), FIRST, { status: 'waiting' }, NOW);
    expect(eventsIn(accepted)).toEqual([]);
    expect(accepted.payment.refunds[0]).toMatchObject({ accepted: true, status: 'CREATED' });
    const done = refundAnswered(accepted.payment, FIRST, { status: 'successful' }, NOW);
    expect(eventsIn(done)).toEqual(['payment.updated']);
    expect(toPayment(done.payment)).toMatchObject({
      refund_reference: FIRST,
      refund_status: 'SUCCESSFUL',
      refund_reason: 'late_authorization',
    });
  });

  it('that was refused is retried with a new key and growing pauses, and never given up', () => {
    let payment = late();
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const reference = payment.refunds.at(-1)?.reference ?? '';
      const outcome = refundAnswered(payment, reference, refused, NOW);
      payment = outcome.payment;
      pauses.push(...outcome.due.map((task) => task.due_at.getTime() - NOW.getTime()));
    }
    const [hour, day] = [3_600_000, 86_400_000];
    expect(pauses).toEqual([5_000, 30_000, 300_000, hour, hour, hour, hour, day, day, day]);
    expect(new Set(payment.refunds.map((row) => row.reference)).size).toBe(11);
    expect(payment.refunds.map((row) => row.status)).toEqual([
      ...Array<string>(10).fill('FAILED'),
      'CREATED',
    ]);
    // Money that came in for a dead payment always goes back.
    expect(payment.refunded_amount.equals(payment.received_amount)).toBe(true);
  });

  it('changes nothing when its status is repeated', () => {
    const done = refundAnswered(late(), FIRST, { status: 'successful' }, NOW).payment;
    expect(refundAnswered(done, FIRST, { status: 'successful' }, NOW).steps).toEqual([]);
    expect(refundAnswered(done, FIRST, { status: 'waiting' }, NOW).steps).toEqual([]);
  });

  it.each([
    ['successful', refused, 'refund_failed_after_successful'],
    ['failed', { status: 'successful' }, 'refund_successful_after_failed'],
  ] as const)('%s and then the opposite is a named contradiction', (first, second, name) => {
    const status = first === 'failed' ? refused : ({ status: 'successful' } as const);
    const { payment } = refundAnswered(late(), FIRST, status, NOW);
    expect(refundAnswered(payment, FIRST, second, NOW)).toMatchObject({ steps: [], contradiction: name });
  });

  it('that is unknown is a contradiction', () => {
    expect(refundAnswered(aPayment(), FIRST, { status: 'successful' }, NOW).contradiction).toBe(
      'refund_unknown_here',
    );
  });

  it('of a duplicate covers no shares, and one for orders covers theirs', () => {
    const paid = captured(aPayment(), capturedAs('c1'), NOW).payment;
    expect(sharesLeft(captured(paid, capturedAs('c2'), NOW).payment)).toHaveLength(2);
    expect(sharesLeft(late())).toEqual([]);
    expect(dueIn(captured(paid, capturedAs('c2'), NOW))).toEqual(['payment.refund']);
  });
});
