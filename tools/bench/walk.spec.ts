import { gatewaypoaWire } from '@fundrail/providers';
import { Webhook } from 'standardwebhooks';
import { Endpoint } from '../../bench/walk/endpoint.ts';
import { Gateway, type Report } from '../../bench/walk/gateway.ts';
import { growthFault } from '../../bench/lib/growth.ts';
import { webhookFault } from '../../bench/walk/judge.ts';

describe('the webhooks of an object of the walk', () => {
  const expected = ['created', 'confirmed', 'successful'];
  const arrived = (...labels: readonly string[]) =>
    labels.map((label, index) => ({ id: `evt_${index}`, label }));

  it.each([
    { labels: expected, fault: null },
    { labels: ['created', 'confirmed'], fault: 'mfp_1: missing successful' },
    { labels: [], fault: 'mfp_1: missing created, confirmed, successful' },
    { labels: ['created', 'confirmed', 'confirmed', 'successful'], fault: 'mfp_1: doubled confirmed' },
    {
      labels: ['confirmed', 'created', 'successful'],
      fault: 'mfp_1: out of order confirmed, created, successful',
    },
    { labels: ['created', 'confirmed', 'successful', 'failed'], fault: 'mfp_1: unexpected failed' },
  ])('have a fault or none: $labels', ({ labels, fault }) => {
    expect(webhookFault('mfp_1', expected, arrived(...labels))).toBe(fault);
  });
});

describe('the queue of the walk', () => {
  const waits = (ms: (index: number) => number) =>
    Array.from({ length: 400 }, (_, index) => ({ at: index * 100, ms: ms(index) }));

  it.each([
    { what: 'is short and stays so', ms: () => 20 },
    { what: 'is long and stays so', ms: () => 4_000 },
    { what: 'was long for a moment', ms: (index: number) => (index > 150 && index < 250 ? 9_000 : 20) },
    { what: 'shrinks', ms: (index: number) => 4_000 - index },
  ])('does not grow when it $what', ({ ms }) => {
    expect(growthFault('commit to webhook', waits(ms))).toBeNull();
  });

  it('grows when the last quarter waits more than twice as long as the first, and 50 ms', () => {
    expect(
      growthFault(
        'commit to webhook',
        waits((index) => 20 + index),
      ),
    ).toBe('commit to webhook: the queue grows, p50 70 ms in the first quarter and 370 ms in the last');
    expect(
      growthFault(
        'commit to webhook',
        waits((index) => (index < 200 ? 20 : 90)),
      ),
    ).toBeNull();
    expect(
      growthFault(
        'commit to webhook',
        waits((index) => (index < 200 ? 20 : 91)),
      ),
    ).not.toBeNull();
  });

  it('is no queue without waits', () => {
    expect(growthFault('commit to webhook', [])).not.toBeNull();
  });
});

describe('the endpoint of the walk', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = JSON.stringify({
    type: 'payment.updated',
    data: { object: { id: 7, status: 'PENDING', upi: { uri: 'upi://pay?tr=P7' } } },
  });
  const signedBy = (secret: string) => {
    const at = new Date(1_795_428_000_000);
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1795428000',
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    };
  };
  const anEndpoint = () => {
    const endpoint = new Endpoint();
    endpoint.expect('/hooks/1', SECRET);
    return endpoint;
  };
  const ARRIVAL = { id: 'evt_1', label: 'payment.updated PENDING', at: 5, uri: 'upi://pay?tr=P7' };

  it('keeps a webhook with the signature of Standard Webhooks, for who waits and who comes later', async () => {
    const endpoint = anEndpoint();
    const waiting = endpoint.until('7', ARRIVAL.label, 0);
    expect(endpoint.take('/hooks/1', signedBy(SECRET), body, 5)).toBe(200);
    expect(await waiting).toEqual(ARRIVAL);
    expect(await endpoint.until('7', ARRIVAL.label, 6)).toEqual(ARRIVAL);
    expect([endpoint.arrivals.get('7'), endpoint.forged]).toEqual([[ARRIVAL], 0]);
  });

  it('refuses and counts one that another secret has signed, and one to an unknown path', () => {
    const endpoint = anEndpoint();
    const other = signedBy('whsec_C2FVsBQIhrscChlQIMVab5sSYspob7oD');
    expect(endpoint.take('/hooks/1', other, body, 5)).toBe(400);
    expect(endpoint.take('/hooks/2', signedBy(SECRET), body, 5)).toBe(400);
    expect([endpoint.arrivals.size, endpoint.forged]).toEqual([0, 2]);
  });

  it('ends the waits of purchases that do not end: a minute after the last webhook, and not before', async () => {
    const endpoint = anEndpoint();
    const waiting = endpoint.until('7', 'payment.success SUCCESS', 0);
    endpoint.take('/hooks/1', signedBy(SECRET), body, 5);
    endpoint.giveUpAfterSilence(60_005);
    const state = await Promise.race([waiting.then(String, String), Promise.resolve('waits')]);
    endpoint.giveUpAfterSilence(60_006);
    expect(state).toBe('waits');
    await expect(waiting).rejects.toThrow('1 purchases do not end; waiting for 7 payment.success SUCCESS');
  });
});

describe('the gateway of the walk', () => {
  const request = {
    ...{ reference: 'mfp_1', tenant: 'bench', old_id: 11, kind: 'purchase', investment_account: 'mfia_1' },
    ...{ scheme: 'INF209K01YN0', folio_number: null, amount_paise: 500_000, units: null, euin: null },
  };
  const payment = {
    ...{ reference: 'P000000000007', payment_id: 7, tenant: 'bench', amount_paise: 500_000, currency: 'INR' },
    ...{ payee_name: 'Fund & Rail', payer: null, expires_at: '2026-11-21T10:30:00+05:30' },
  };
  const transfer = {
    ...{ reference: 'T000000000007', payment_reference: 'P000000000007' },
    shares: [{ order: 'mfp_1', old_id: 11, amount_paise: 500_000 }],
  };

  it('answers and reports a purchase in the words of gatewaypoa, and a repeated call without an effect', async () => {
    const reports: Report[] = [];
    const reported = Promise.withResolvers<void>();
    const gateway = new Gateway((report) => {
      reports.push(report);
      if (reports.length === 4) reported.resolve();
      return Promise.resolve();
    });
    const call = (path: string, body: object) => gateway.answer('POST', path, JSON.stringify(body));
    const { orderObject, paymentObject, transferObject } = gatewaypoaWire;

    expect(orderObject.parse(call('/orders/review', request)).review).toEqual({ status: 'in_review' });
    expect(call('/orders/review', request)).toMatchObject({ review: { status: 'in_review' } });
    await new Promise(setImmediate);
    expect(orderObject.parse(call('/orders/submit', request)).submission).toEqual({
      status: 'accepted',
      order_reference: 'GP11',
    });
    const { upi_uri } = paymentObject.parse(call('/payments', payment));
    expect(upi_uri).toContain('pn=Fund%20%26%20Rail&mc=6211&tr=P000000000007&tn=Payment&am=5000.00&cu=INR');
    await gateway.pay(upi_uri ?? '');
    expect(transferObject.parse(call('/transfers', transfer)).status).toBe('processing');
    expect(call('/transfers', transfer)).toMatchObject({ status: 'processing' });
    await reported.promise;

    const [review, capture, settled, processed] = reports.map((report, index) =>
      report.topic === 'orders'
        ? gatewaypoaWire.orderCallbackBody.parse({ event_id: `${index}`, ...report }).order
        : gatewaypoaWire.paymentCallbackBody.parse({ event_id: `${index}`, ...report }),
    );
    expect(review).toMatchObject({ review: { status: 'passed' }, submission: { status: 'none' } });
    expect(capture).toMatchObject({
      payment: { status: 'captured', amount_paise: 500_000, currency: 'INR' },
    });
    expect(settled).toMatchObject({ transfer: { reference: 'T000000000007', status: 'settled' } });
    expect(processed).toMatchObject({
      submission: { order_reference: 'GP11' },
      outcome: { status: 'processed', amount_paise: 500_000, folio_number: '9111' },
    });
  });

  it('does not know an object that it was never asked for', () => {
    const gateway = new Gateway(() => Promise.resolve());
    expect(
      ['/orders/mfp_9', '/payments/P9', '/transfers/T9'].map((path) => gateway.answer('GET', path, '')),
    ).toEqual([null, null, null]);
  });
});
