import { PAYMENT_FAILURE_CODES, payment as paymentDto, parseJson, stringifyJson } from '@fundrail/contracts';
import { IllegalTransition } from '@fundrail/state-machines';
import { collectSent, issueUri, providerFailed } from '../collection/collection.ts';
import { aPayment, dueIn, eventsIn, minutesLater, NOW, TIMES, URI } from '../testing/payments.builder.ts';
import { endPayment, failPayment, note, toPayment } from './payment.ts';

describe('creating a UPI payment', () => {
  it('is PENDING with the sum of its orders, in old_id order, and expires after 30 minutes (PAY-5)', () => {
    const payment = aPayment();
    expect(payment).toMatchObject({
      status: 'PENDING',
      event_seq: 1,
      debit_date: '2026-12-21',
      upi_type: 'uri',
      upi_uri: null,
    });
    expect(payment.amount.toString()).toBe('6001.5000');
    expect(payment.orders.map((share) => share.old_id)).toEqual([11, 12]);
    expect(payment.expires_at).toEqual(minutesLater(30));
  });

  it('is returned as PAY-17 lists it, the amount with four decimals', () => {
    const dto = toPayment(aPayment());
    expect(paymentDto.safeParse(parseJson(stringifyJson(dto))).success).toBe(true);
    expect(stringifyJson(dto)).toContain('"amount":6001.5000');
    expect(dto.upi).toEqual({ type: 'uri', vpa: null, uri: null });
  });
});

describe('issuing the URI', () => {
  it('publishes only payment.updated, and schedules a status call', () => {
    const outcome = issueUri(aPayment(), URI, NOW, TIMES);
    expect(outcome.payment.upi_uri).toBe(URI);
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.expire', 'payment.status']);
  });

  it.each([
    [5, 15, 'ten minutes from the issue'],
    [25, 30, 'thirty minutes from the creation'],
  ])('issued %i minutes after the creation it ends after %i: %s', (issued, ends) => {
    expect(issueUri(aPayment(), URI, minutesLater(issued), TIMES).payment.expires_at).toEqual(
      minutesLater(ends),
    );
  });

  it.each([aPayment({ status: 'FAILED' }), aPayment({ upi_uri: URI })])(
    'changes nothing when it is late or repeated',
    (payment) => {
      expect(issueUri(payment, 'upi://pay?other', NOW, TIMES).steps).toEqual([]);
    },
  );
});

describe('ending a payment', () => {
  it.each([
    ['expire', 'payment_expired'],
    ['cancel', 'user_cancelled'],
  ] as const)('%s fails it with %s (PAY-25)', (ending, code) => {
    const outcome = endPayment(aPayment(), ending, NOW);
    expect(outcome.payment).toMatchObject({ status: 'FAILED', failure_code: code, failed_at: NOW });
    expect(outcome.payment.failed_reason).not.toBeNull();
    expect(eventsIn(outcome)).toEqual(['payment.failed', 'payment.updated']);
  });

  it('is followed by status calls only when the provider may know the payment (PAY-30)', () => {
    expect(dueIn(endPayment(aPayment(), 'expire', NOW))).toEqual([]);
    expect(dueIn(endPayment(aPayment({ uri_requested_at: NOW }), 'expire', NOW))).toEqual(['payment.status']);
  });

  it('refuses a payment past PENDING, and names both states', () => {
    expect(() => endPayment(aPayment({ status: 'SUCCESS' }), 'cancel', NOW)).toThrow(IllegalTransition);
    expect(() => failPayment(aPayment({ status: 'APPROVED' }), 'fail', 'payment_failed', NOW)).toThrow(
      /APPROVED.*FAILED/,
    );
  });
});

describe('a failure reported by the provider', () => {
  it('fails the payment with its code, and records it as closed at the provider', () => {
    const { payment } = providerFailed(aPayment(), 'insufficient_funds', NOW);
    expect(payment).toMatchObject({
      status: 'FAILED',
      failure_code: 'insufficient_funds',
      provider_closed_at: NOW,
    });
  });

  it('ends the payment with our code when it results from our cancel call', () => {
    const expiring = aPayment({ ending: 'expire' });
    expect(providerFailed(expiring, 'user_cancelled', NOW).payment.failure_code).toBe('payment_expired');
    expect(providerFailed(aPayment({ ending: 'cancel' }), 'user_cancelled', NOW).payment.failure_code).toBe(
      'user_cancelled',
    );
    expect(providerFailed(expiring, 'insufficient_funds', NOW).payment.failure_code).toBe(
      'insufficient_funds',
    );
  });

  it('is pg_payment_expired only before our own expiry', () => {
    expect(providerFailed(aPayment(), 'pg_payment_expired', minutesLater(29)).payment.failure_code).toBe(
      'pg_payment_expired',
    );
    expect(providerFailed(aPayment(), 'pg_payment_expired', minutesLater(30)).payment.failure_code).toBe(
      'payment_expired',
    );
  });

  it('changes nothing when repeated, and contradicts a success', () => {
    expect(providerFailed(aPayment({ status: 'FAILED' }), 'payment_failed', NOW)).toMatchObject({
      steps: [],
    });
    const after = providerFailed(aPayment({ status: 'SUCCESS' }), 'payment_failed', NOW);
    expect(after).toMatchObject({ steps: [], contradiction: 'failed_after_success' });
  });
});

it('an intent is recorded without an event', () => {
  const outcome = note(aPayment(), 'request_uri', { uri_requested_at: NOW });
  expect(outcome.payment).toMatchObject({ uri_requested_at: NOW, event_seq: 1 });
  expect(eventsIn(outcome)).toEqual([]);
});

describe('each failure code (PAY-28)', () => {
  it.each(PAYMENT_FAILURE_CODES)(
    '%s, reported by the provider, fails a payment with a sentence for the investor',
    (code) => {
      const { payment } = providerFailed(aPayment(), code, NOW);
      expect(payment).toMatchObject({ status: 'FAILED', failure_code: code, failed_at: NOW });
      expect(payment.failed_reason).toMatch(/^[A-Z].+\.$/);
      expect(toPayment(payment).failure_code).toBe(code);
    },
  );
});

describe('the expiry of each flow (TIME-1 to TIME-4)', () => {
  it.each([
    ['UPI intent', 30, { kind: 'uri' }],
    ['UPI collect', 30, { kind: 'collect', vpa: 'a@b' }],
    ['a page that is not opened', 15, { kind: 'checkout', method: null, sdk: false }],
    ['an SDK', 30, { kind: 'checkout', method: null, sdk: true }],
  ] as const)('of %s is %i minutes from the creation', (_, minutes, flow) => {
    expect(aPayment({}, flow).expires_at).toEqual(minutesLater(minutes));
  });

  it('of a collect request is 5 minutes after it was sent, and at most 30 after the creation', () => {
    const asked = aPayment({}, { kind: 'collect', vpa: 'a@b' });
    expect(collectSent(asked, NOW, TIMES).payment.expires_at).toEqual(minutesLater(5));
    expect(collectSent(asked, minutesLater(28), TIMES).payment.expires_at).toEqual(minutesLater(30));
    expect(collectSent(aPayment({ status: 'FAILED' }), NOW, TIMES).steps).toEqual([]);
  });

  it('of an opened page: a failed attempt ends the payment only after it (decision 0012)', () => {
    const opened = aPayment({ token_used_at: NOW }, { kind: 'checkout', method: null, sdk: false });
    const failing = (at: number) => providerFailed(opened, 'bank_downtime', minutesLater(at)).payment;
    expect(failing(14)).toMatchObject({ status: 'PENDING', failure_code: null });
    expect(failing(15)).toMatchObject({ status: 'FAILED', failure_code: 'payment_expired' });
  });
});
