import { Decimal } from '@fundrail/contracts';
import type { WireAnswer } from '../http-caller.ts';
import {
  answerOf,
  attemptStatus,
  fromAttempt,
  fromPayment,
  fromRefund,
  oldest,
  refundable,
  started,
  statusOf,
  toRefundStatus,
} from './transform.ts';
import { order, payment, refund, type Payment } from './wire.ts';

const answered = (status: number, body: unknown): WireAnswer => ({ kind: 'answered', status, body });
const attempt = (parts: Partial<Payment> = {}): Payment =>
  payment.parse({
    id: 'pay_1',
    order_id: 'order_1',
    amount: 500_000,
    currency: 'INR',
    status: 'created',
    created_at: 1,
    ...parts,
  });
const orderBody = {
  id: 'order_1',
  amount: 500_000,
  currency: 'INR',
  receipt: 'P1',
  status: 'created',
  created_at: 1,
};
const server = { ip: '198.51.100.1', referer: 'https://pay.example', user_agent: 'fundrail' };
const toPay = {
  reference: 'P1',
  payment_id: 1,
  tenant: 'demo',
  amount: Decimal.parse('1001.5'),
  currency: 'INR' as const,
  payee_name: 'Operator',
  payer: { account_number: '123', ifsc_code: 'HDFC0000001', name: 'A' },
  contact: { email: 'a@example.com', mobile: null },
  browser: null,
  expires_at: new Date(0),
};

describe('an answer of Razorpay', () => {
  it.each<[string, WireAnswer, object]>([
    ['silence', { kind: 'silence', detail: 'time-out' }, { kind: 'unknown', why: 'no_answer' }],
    ['a 500', answered(500, {}), { kind: 'unknown', why: 'no_answer' }],
    ['a 502 of their gateway', answered(502, {}), { kind: 'unknown', why: 'no_answer' }],
    ['a key that is at work (409)', answered(409, {}), { kind: 'unknown', why: 'no_answer' }],
    [
      'too many requests',
      answered(429, {}),
      { kind: 'unknown', why: 'too_many_requests', retry_after_ms: 5_000 },
    ],
    ['a wrong key (401)', answered(401, {}), { kind: 'unknown', why: 'not_understood' }],
    ['a 404', answered(404, {}), { kind: 'unknown', why: 'not_understood' }],
    ['a redirect', answered(302, {}), { kind: 'unknown', why: 'not_understood' }],
    ['a 400 without an error', answered(400, '<html>'), { kind: 'unknown', why: 'not_understood' }],
    [
      'a refusal',
      answered(400, {
        error: { code: 'BAD_REQUEST_ERROR', description: 'No such VPA', reason: 'invalid_vpa' },
      }),
      { kind: 'no', failure_code: 'invalid_vpa', message: 'No such VPA' },
    ],
    [
      'an unknown word',
      answered(200, { ...orderBody, status: 'teleported' }),
      { kind: 'unknown', why: 'not_understood' },
    ],
    ['half an order', answered(200, { id: 'order_1' }), { kind: 'unknown', why: 'not_understood' }],
    ['an order', answered(200, { ...orderBody, new_field: 1 }), { kind: 'yes' }],
  ])('given %s, when it is read, then %#', (_, answer, expected) => {
    expect(answerOf(answer, order)).toMatchObject(expected);
  });

  it('given the refusal of a paid order, when an attempt was started, then the payment has not failed', () => {
    expect(started({ kind: 'no', failure_code: 'order_already_paid', message: 'm' })).toMatchObject({
      kind: 'unknown',
    });
    expect(started({ kind: 'no', failure_code: 'invalid_vpa', message: 'm' })).toMatchObject({
      failure_code: 'invalid_upi_id',
    });
  });
});

describe('how a payment stands by its attempts', () => {
  const captured = attempt({ id: 'pay_2', status: 'captured', created_at: 2 });
  const failed = attempt({ id: 'pay_3', status: 'failed', error_reason: 'payment_cancelled', created_at: 3 });

  it.each<[string, Payment[], string]>([
    ['no attempt', [], 'waiting'],
    ['one that is open', [attempt()], 'waiting'],
    ['money that is only authorised', [attempt({ status: 'authorized' })], 'waiting'],
    ['a failure while another is open', [attempt(), failed], 'waiting'],
    ['failures only', [failed, attempt({ status: 'failed', error_reason: 'insufficient_funds' })], 'failed'],
    ['money, and a failure after it', [captured, failed], 'captured'],
    ['money that went back', [attempt({ status: 'refunded', captured: true })], 'captured'],
    [
      'money that was never captured and went back',
      [attempt({ status: 'refunded', captured: false })],
      'failed',
    ],
  ])('given %s, when it is asked about, then it is %3$s', (_, attempts, status) => {
    expect(statusOf(attempts)).toMatchObject({ status });
  });

  it('given two captures, when it is asked about, then the first one counts and the second goes back first', () => {
    const second = attempt({ id: 'pay_4', status: 'captured', created_at: 4 });
    expect(statusOf([second, captured])).toMatchObject({
      provider_reference: 'pay_2',
      others: [{ provider_reference: 'pay_4', amount: Decimal.parse('5000'), currency: 'INR' }],
    });
    expect(statusOf([captured, failed])).not.toHaveProperty('others');
    expect(refundable([captured, second], Decimal.parse('5000'))?.id).toBe('pay_4');
    expect(refundable([captured, { ...second, amount_refunded: 500_000 }], Decimal.parse('5000'))?.id).toBe(
      'pay_2',
    );
    expect(refundable([failed], Decimal.parse('1'))).toBeNull();
  });

  it.each([
    ['upi', { by_upi: true }],
    ['netbanking', { by_upi: false }],
  ])('given money by %s, when it is reported, then the way is reported (FLOW-14)', (method, way) => {
    expect(statusOf([attempt({ status: 'captured', method })])).toMatchObject(way);
    expect(statusOf([captured])).not.toHaveProperty('by_upi');
  });

  it('given paise, when money came in, then it is rupees to the paisa', () => {
    const status = attemptStatus(attempt({ status: 'captured', amount: 100_150 }));
    expect(status).toMatchObject({
      amount: Decimal.parse('1001.50'),
      currency: 'INR',
      provider_reference: 'pay_1',
    });
  });

  it('given an older attempt that may still succeed, when the newest has failed, then it waits and reports why that failed', () => {
    const older = attempt({ id: 'pay_0', status: 'created', created_at: 0 });
    expect(statusOf([failed, older])).toEqual({ status: 'waiting', newest_failed: 'user_cancelled' });
    const newer = attempt({ id: 'pay_9', status: 'created', created_at: 9 });
    expect(statusOf([newer, failed])).toEqual({ status: 'waiting' });
  });

  it('given the last of several failures, when it is asked about, then its reason counts', () => {
    const earlier = attempt({ status: 'failed', error_reason: 'insufficient_funds', created_at: 1 });
    expect(statusOf([failed, earlier])).toMatchObject({ failure_code: 'user_cancelled' });
  });

  it('given two orders of one receipt, when one is meant, then it is always the oldest', () => {
    const one = order.parse({ ...orderBody, id: 'order_b' });
    const other = order.parse({ ...orderBody, id: 'order_a' });
    expect([oldest([one, other])?.id, oldest([other, one])?.id, oldest([])]).toEqual([
      'order_a',
      'order_a',
      null,
    ]);
  });
});

describe('requests to Razorpay', () => {
  it('given a payment, when its order is written, then it has paise, our receipt and the only permitted payer', () => {
    expect(fromPayment(toPay)).toMatchObject({
      amount: 100_150,
      currency: 'INR',
      receipt: 'P1',
      payment: { capture: 'automatic' },
      bank_account: { account_number: '123', ifsc: 'HDFC0000001', name: 'A' },
    });
    expect(fromPayment({ ...toPay, payer: null })).not.toHaveProperty('bank_account');
  });

  it('given an investor without a mobile, when an attempt is written, then it has none', () => {
    expect(fromAttempt(toPay, 'order_1', server)).toEqual({
      ...{ amount: 100_150, currency: 'INR', order_id: 'order_1', notes: { reference: 'P1' } },
      ...{ email: 'a@example.com', ...server },
    });
  });

  it("given the investor's browser, when an attempt is written, then the request contains that browser", () => {
    const browser = { ip: '2001:db8::7', referer: 'https://pay.example/page', user_agent: 'Mozilla/5.0' };
    expect(fromAttempt({ ...toPay, browser }, 'order_1', server)).toMatchObject(browser);
  });

  it('given a refund, when it is written, then it is paise under our reference', () => {
    const written = fromRefund({ reference: 'R1', payment_reference: 'P1', amount: Decimal.parse('0.05') });
    expect(written).toEqual({ amount: 5, speed: 'normal', receipt: 'R1' });
  });

  it.each([
    ['pending', { status: 'waiting' }],
    ['processed', { status: 'successful' }],
    ['failed', { status: 'failed', failure_code: 'refund_failed' }],
  ] as const)('given a refund that is %s, when it is read, then it is %j', (status, expected) => {
    expect(toRefundStatus(refund.parse({ id: 'rfnd_1', payment_id: 'pay_1', amount: 1, status }))).toEqual(
      expected,
    );
  });
});
