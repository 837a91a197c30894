import { PAYMENT_FAILURE_CODES } from '@fundrail/contracts';
import fc from 'fast-check';
import { endPayment, toPayment } from '../payment/payment.ts';
import { sweepOf } from '../payment/orders-of-payment.ts';
import {
  aCollection,
  capturedAs,
  dueIn,
  eventsIn,
  minutesLater,
  NOW,
  TIMES,
  URI,
} from '../testing/payments.builder.ts';
import {
  applyPaymentStatus,
  beginEnding,
  collectSent,
  decided,
  issueUri,
  providerFailed,
} from './collection.ts';

describe('issuing the URI', () => {
  it('publishes only payment.updated, and schedules a status call', () => {
    const outcome = issueUri(aCollection({ request: { state: 'requested' } }), URI, NOW, TIMES);
    expect(outcome.payment.upi?.uri).toBe(URI);
    expect(outcome.payment.request).toMatchObject({ state: 'sent', sent_at: NOW });
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.expire', 'payment.status']);
  });

  it.each([
    [5, 15, 'ten minutes from the issue'],
    [25, 30, 'thirty minutes from the creation'],
  ])('issued %i minutes after the creation it ends after %i: %s', (issued, ends) => {
    expect(issueUri(aCollection(), URI, minutesLater(issued), TIMES).payment.request?.expires_at).toEqual(
      minutesLater(ends),
    );
  });

  it.each([
    aCollection({ payment: { status: 'FAILED' } }),
    aCollection({ payment: { upi: { type: 'uri', vpa: null, uri: URI } } }),
  ])('changes nothing when it is late or repeated', (payment) => {
    expect(issueUri(payment, 'upi://pay?other', NOW, TIMES).steps).toEqual([]);
  });
});

describe('the intent to end a request', () => {
  const requested = aCollection({ request: { state: 'requested' } });
  const begun = beginEnding(requested, 'expire', NOW);

  it('is recorded without an event, and the later intent counts', () => {
    expect(begun.payment).toMatchObject({
      status: 'PENDING',
      request: { state: 'ending', ending: 'expire' },
    });
    expect([eventsIn(begun), dueIn(begun)]).toEqual([[], []]);
    const cancelled = beginEnding(begun.payment, 'cancel', NOW);
    expect(cancelled.payment.request).toMatchObject({ state: 'ending', ending: 'cancel' });
    expect(beginEnding(begun.payment, 'expire', NOW).steps).toEqual([]);
  });

  it('stays when the provider answers the call that sent it', () => {
    const { payment } = issueUri(begun.payment, URI, NOW, TIMES);
    expect(payment.request).toMatchObject({ state: 'ending', ending: 'expire', sent_at: NOW });
  });
});

it('money of a wrong amount fails the payment, and the provider is asked whether more comes (PAY-30)', () => {
  const outcome = applyPaymentStatus(aCollection(), capturedAs('c1', '1'), NOW);
  expect(outcome.payment.status).toBe('FAILED');
  expect(dueIn(outcome)).toContain('payment.status');
});

it('an end is followed by status calls only when the provider may know the payment (PAY-30)', () => {
  expect(dueIn(beginEnding(aCollection(), 'expire', NOW))).toEqual([]);
  const asked = aCollection({ request: { state: 'requested' } });
  expect(dueIn(decided(asked, endPayment(asked, 'expire', NOW)))).toEqual(['payment.status']);
});

describe('a failure reported by the provider', () => {
  it('fails the payment with its code, and records it as closed at the provider', () => {
    const { payment } = providerFailed(aCollection(), 'insufficient_funds', NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
    expect(payment.request?.state).toBe('closed');
  });

  it('ends the payment with our code when it results from our cancel call', () => {
    const expiring = aCollection({ request: { state: 'ending', ending: 'expire' } });
    expect(providerFailed(expiring, 'user_cancelled', NOW).payment.failure_code).toBe('payment_expired');
    expect(
      providerFailed(aCollection({ request: { state: 'ending', ending: 'cancel' } }), 'user_cancelled', NOW)
        .payment.failure_code,
    ).toBe('user_cancelled');
    expect(providerFailed(expiring, 'insufficient_funds', NOW).payment.failure_code).toBe(
      'insufficient_funds',
    );
  });

  it('is pg_payment_expired only before our own expiry', () => {
    expect(providerFailed(aCollection(), 'pg_payment_expired', minutesLater(29)).payment.failure_code).toBe(
      'pg_payment_expired',
    );
    expect(providerFailed(aCollection(), 'pg_payment_expired', minutesLater(30)).payment.failure_code).toBe(
      'payment_expired',
    );
  });

  it('changes nothing when repeated, and contradicts a success', () => {
    expect(
      providerFailed(aCollection({ payment: { status: 'FAILED' } }), 'payment_failed', NOW),
    ).toMatchObject({
      steps: [],
    });
    const after = providerFailed(aCollection({ payment: { status: 'SUCCESS' } }), 'payment_failed', NOW);
    expect(after).toMatchObject({ steps: [], contradiction: 'failed_after_success' });
  });
});

describe('each failure code (PAY-28)', () => {
  it.each(PAYMENT_FAILURE_CODES)(
    '%s, reported by the provider, fails a payment with a sentence for the investor',
    (code) => {
      const { payment } = providerFailed(aCollection(), code, NOW);
      expect(payment).toMatchObject({ status: 'FAILED', failure_code: code, failed_at: NOW });
      expect(toPayment(payment).failed_reason).toMatch(/^[A-Z].+\.$/);
      expect(toPayment(payment).failure_code).toBe(code);
    },
  );
});

describe('the expiry of each flow (TIME-1 to TIME-4)', () => {
  it.each([
    ['UPI intent', 30, { kind: 'uri', method: 'UPI' }],
    ['UPI collect', 30, { kind: 'collect', method: 'UPI', vpa: 'a@b' }],
    ['a page that is not opened', 15, { kind: 'checkout', method: null, sdk: false }],
    ['an SDK', 30, { kind: 'checkout', method: null, sdk: true }],
  ] as const)('of %s is %i minutes from the creation', (_, minutes, flow) => {
    expect(aCollection({}, flow).request?.expires_at).toEqual(minutesLater(minutes));
  });

  it('of a collect request is 5 minutes after it was sent, and at most 30 after the creation', () => {
    const asked = aCollection({}, { kind: 'collect', method: 'UPI', vpa: 'a@b' });
    expect(collectSent(asked, NOW, TIMES).payment.request?.expires_at).toEqual(minutesLater(5));
    expect(collectSent(asked, minutesLater(28), TIMES).payment.request?.expires_at).toEqual(minutesLater(30));
    expect(collectSent(aCollection({ payment: { status: 'FAILED' } }), NOW, TIMES).steps).toEqual([]);
  });

  it('of an opened page: a failed attempt ends the payment only after it (decision 0012)', () => {
    const page = { kind: 'checkout', method: null, sdk: false } as const;
    const opened = aCollection({ request: { state: 'opened', opened_at: NOW } }, page);
    const failing = (at: number) => providerFailed(opened, 'bank_downtime', minutesLater(at)).payment;
    expect(failing(14)).toMatchObject({ status: 'PENDING', failure_code: null });
    expect(failing(15)).toMatchObject({ status: 'FAILED', failure_code: 'payment_expired' });
  });
});

it('the sweep is due for payments by page or SDK, but not for UPI requests, whose orders are all submitted', () => {
  const checkout = { kind: 'checkout', method: null, sdk: false } as const;
  const task = { kind: 'payment.sweep', due_at: sweepOf(NOW) };
  expect(applyPaymentStatus(aCollection({}, checkout), capturedAs('c1'), NOW).due).toContainEqual(
    expect.objectContaining(task),
  );
  expect(dueIn(applyPaymentStatus(aCollection(), capturedAs('c1'), NOW))).toEqual(['payment.transfer']);
});

it('a waiting status changes nothing', () => {
  expect(applyPaymentStatus(aCollection(), { status: 'waiting' }, NOW).steps).toEqual([]);
});

const fact = fc.oneof(
  fc.constant({ status: 'waiting' } as const),
  fc.constant({ status: 'failed', failure_code: 'bank_downtime', message: '' } as const),
  fc
    .tuple(fc.constantFrom('c1', 'c2', 'c3'), fc.constantFrom('6001.50', '1.00', '9000.00'))
    .map(([reference, amount]) => capturedAs(reference, amount)),
);

it('for any sequence of facts, never refunds more than came in, and never counts a capture twice', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
      let payment = aCollection();
      for (const fact of facts) payment = applyPaymentStatus(payment, fact, NOW).payment;
      expect(payment.refunded_amount.compare(payment.received_amount)).toBeLessThanOrEqual(0);
      expect(new Set(payment.captures.map((row) => row.provider_reference)).size).toBe(
        payment.captures.length,
      );
      const kept = payment.received_amount.minus(payment.refunded_amount);
      expect(kept.toString()).toBe(payment.status === 'SUCCESS' ? '6001.5000' : '0.0000');
    }),
  );
});
