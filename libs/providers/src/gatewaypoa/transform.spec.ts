import { Decimal } from '@fundrail/contracts';
import type { WireAnswer } from '../http-caller.ts';
import {
  answerOf,
  collectOf,
  fromOrder,
  fromPayment,
  fromTransfer,
  submissionOf,
  toOrderStatus,
  toPaymentFailureCode,
  toPaymentStatus,
  toRefundStatus,
  toTransferStatus,
  uriOf,
  voidOf,
} from './transform.ts';
import { orderObject, paymentObject, transferObject } from './wire.ts';

const answered = (status: number, body: unknown): WireAnswer => ({ kind: 'answered', status, body });
const order = (parts: object = {}) => ({
  reference: 'mfp_1',
  review: { status: 'passed' },
  submission: { status: 'none' },
  outcome: { status: 'processing' },
  ...parts,
});
const payment = (parts: object) => ({ reference: 'P1', upi_uri: 'upi://pay?pa=a', ...parts });

describe('what an answer of gatewaypoa means', () => {
  it.each([
    [
      'silence',
      { kind: 'silence', detail: 'time-out' } as const,
      { kind: 'unknown', why: 'no_answer', detail: 'time-out' },
    ],
    ['500', answered(500, {}), { kind: 'unknown', why: 'no_answer', detail: 'status 500' }],
    ['503', answered(503, undefined), { kind: 'unknown', why: 'no_answer', detail: 'status 503' }],
    ['404', answered(404, { code: 'not_found' }), { kind: 'not_found' }],
    [
      '422 with a code',
      answered(422, { code: 'x', message: 'm' }),
      { kind: 'no', failure_code: 'x', message: 'm' },
    ],
    [
      '422 without a code',
      answered(422, {}),
      { kind: 'unknown', why: 'not_understood', detail: 'status 422 without a code' },
    ],
    ['401', answered(401, {}), { kind: 'unknown', why: 'not_understood', detail: 'status 401' }],
    ['a redirect', answered(302, {}), { kind: 'unknown', why: 'not_understood', detail: 'status 302' }],
  ])('given %s, when it is read, then no result is guessed', (_, answer, expected) => {
    expect(answerOf(answer, transferObject)).toEqual(expected);
  });

  it.each([
    ['no JSON', undefined],
    ['an unknown status', { reference: 'T1', status: 'teleported' }],
    ['a missing field', { status: 'settled' }],
  ])('given 200 with %s, when it is read, then it is not understood', (_, body) => {
    expect(answerOf(answered(200, body), transferObject)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
  });

  it('given fields that we do not know, when the answer is read, then they are ignored', () => {
    const answer = answerOf(answered(200, { reference: 'T1', status: 'settled', bank: 'x' }), transferObject);
    expect(answer).toEqual({ kind: 'yes', value: { reference: 'T1', status: 'settled' } });
  });

  it('given an answer that does not fit, when it is reported, then its values are not included', () => {
    const answer = answerOf(answered(200, { reference: 'T1', status: 'secret-value' }), transferObject);
    expect(JSON.stringify(answer)).not.toContain('secret-value');
  });
});

describe('an order of gatewaypoa', () => {
  const allotment = {
    traded_on: '2026-12-21',
    units: '12.345',
    amount_paise: 500_050,
    nav: '40.5061',
    folio_number: '9',
  };

  it('given a processed order, when it is read, then paise are rupees and units are exact', () => {
    const wire = orderObject.parse(
      order({
        submission: { status: 'accepted', order_reference: 'G1' },
        outcome: { status: 'processed', ...allotment },
      }),
    );
    expect(toOrderStatus(wire)).toEqual({
      review: { result: 'passed' },
      submission: { result: 'accepted', order_reference: 'G1' },
      outcome: {
        result: 'successful',
        details: {
          traded_on: '2026-12-21',
          units: Decimal.parse('12.345'),
          amount: Decimal.parse('5000.50'),
          price: Decimal.parse('40.5061'),
          folio_number: '9',
        },
      },
    });
  });

  it.each([
    [{ review: { status: 'in_review' } }, { review: { result: 'waiting' } }],
    [
      { payout: { paid_at: '2026-12-23T10:00:00+05:30', utr: 'N1' } },
      { payout: { paid_at: new Date('2026-12-23T04:30:00Z'), reference: 'N1' } },
    ],
    [
      { outcome: { status: 'processed', ...allotment, is_overseas: true } },
      { outcome: { result: 'successful', details: { is_overseas: true } } },
    ],
    [{ scheme_category: 'liquid' }, { review: { result: 'passed', scheme_category: 'liquid' } }],
    [
      { review: { status: 'rejected', failure_code: 'kyc' } },
      { review: { result: 'failed', failure_code: 'kyc' } },
    ],
    [
      { submission: { status: 'refused', failure_code: null } },
      { submission: { result: 'refused', failure_code: 'submission_refused' } },
    ],
    [
      { outcome: { status: 'rejected', failure_code: 'r' } },
      { outcome: { result: 'failed', failure_code: 'r' } },
    ],
    [
      { outcome: { status: 'reversed', failure_code: null } },
      { outcome: { result: 'reversed', failure_code: null } },
    ],
  ])('given %j, when it is read, then it says %j', (parts, expected) => {
    expect(toOrderStatus(orderObject.parse(order(parts)))).toMatchObject(expected);
  });

  it.each([
    ['an unknown review', order({ review: { status: 'maybe' } })],
    ['an acceptance without its reference', order({ submission: { status: 'accepted' } })],
    ['a result without its numbers', order({ outcome: { status: 'processed' } })],
    [
      'units that are not a decimal',
      order({ outcome: { status: 'processed', ...allotment, units: 'many' } }),
    ],
    [
      'an amount in a fraction of a paisa',
      order({ outcome: { status: 'processed', ...allotment, amount_paise: 1.5 } }),
    ],
  ])('given %s, when it is read, then it is not understood', (_, body) => {
    expect(answerOf(answered(200, body), orderObject)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
  });

  it.each([
    [
      { status: 'accepted', order_reference: 'G1' },
      { kind: 'yes', value: { order_reference: 'G1' } },
    ],
    [
      { status: 'refused', failure_code: 'closed' },
      { kind: 'no', failure_code: 'closed' },
    ],
    [{ status: 'none' }, { kind: 'unknown', why: 'not_understood' }],
  ])('given a submission answered %j, when it is read, then it means %j', (submission, expected) => {
    expect(submissionOf(answerOf(answered(200, order({ submission })), orderObject))).toMatchObject(expected);
  });

  it('given a redemption of everything, when it is written, then it has neither amount nor units', () => {
    const written = fromOrder({
      reference: 'mfrd_1',
      tenant: 'demo',
      old_id: 7,
      kind: 'redemption',
      investment_account: 'mfia_1',
      scheme: 'INF1',
      folio_number: '9',
      amount: null,
      units: null,
      euin: null,
      collected: false,
    });
    expect(written).toMatchObject({ amount_paise: null, units: null });
  });
});

describe('a payment of gatewaypoa', () => {
  it.each([
    [{ status: 'awaiting_payer' }, { status: 'waiting' }],
    [
      { status: 'captured', provider_reference: 'R', amount_paise: 100_001, currency: 'INR' },
      { status: 'captured', provider_reference: 'R', amount: Decimal.parse('1000.01'), currency: 'INR' },
    ],
    [
      { status: 'declined', failure_code: 'insufficient_funds', failure_message: 'm' },
      { status: 'failed', failure_code: 'insufficient_funds', message: 'm' },
    ],
    [{ status: 'expired' }, { status: 'failed', failure_code: 'pg_payment_expired' }],
    [{ status: 'cancelled' }, { status: 'failed', failure_code: 'user_cancelled' }],
  ])('given %j, when it is read, then it is %j', (parts, expected) => {
    expect(toPaymentStatus(paymentObject.parse(payment(parts)))).toMatchObject(expected);
  });

  it('given a failure code that we do not know, when it is read, then it is still a failure', () => {
    expect(toPaymentFailureCode('moon_phase')).toBe('payment_failed');
  });

  it.each([
    [{ status: 'awaiting_payer' }, { kind: 'yes', value: { uri: 'upi://pay?pa=a' } }],
    [{ status: 'expired' }, { kind: 'no', failure_code: 'pg_payment_expired' }],
  ])('given a registration answered %j, when the URI is taken, then %j', (parts, expected) => {
    const wire = paymentObject.parse(payment(parts));
    expect(uriOf({ kind: 'yes', value: wire })).toMatchObject(expected);
  });

  it.each([
    [{ status: 'awaiting_payer' }, { kind: 'yes', value: null }],
    [
      { status: 'captured', provider_reference: 'R', amount_paise: 1, currency: 'INR' },
      { kind: 'yes', value: null },
    ],
    [{ status: 'expired' }, { kind: 'no', failure_code: 'pg_payment_expired' }],
  ])('given a collect request answered %j, when it is read, then %j', (parts, expected) => {
    const answered = paymentObject.parse(payment({ ...parts, upi_uri: null }));
    expect(collectOf({ kind: 'yes', value: answered })).toMatchObject(expected);
    expect(uriOf({ kind: 'yes', value: answered }).kind).not.toBe('yes');
  });

  it.each([
    [{ status: 'cancelled' }, { kind: 'yes' }],
    [{ status: 'declined', failure_code: null, failure_message: null }, { kind: 'yes' }],
    [
      { status: 'captured', provider_reference: 'R', amount_paise: 1, currency: 'INR' },
      { kind: 'no', failure_code: 'already_paid' },
    ],
    [{ status: 'awaiting_payer' }, { kind: 'unknown', why: 'not_understood' }],
  ])('given a cancellation answered %j, when it is read, then %j', (parts, expected) => {
    expect(voidOf({ kind: 'yes', value: paymentObject.parse(payment(parts)) })).toMatchObject(expected);
  });

  it('given a payment, when it is written, then its amount is whole paise and its time an instant', () => {
    const written = fromPayment({
      reference: 'P1',
      payment_id: 1,
      tenant: 'demo',
      amount: Decimal.parse('1001.5'),
      currency: 'INR',
      payee_name: 'Operator',
      payer: null,
      contact: { email: 'a@example.com', mobile: null },
      browser: null,
      expires_at: new Date('2026-12-21T10:00:00+05:30'),
    });
    expect(written).toMatchObject({
      ...{ amount_paise: 100_150, payee_name: 'Operator', expires_at: '2026-12-21T04:30:00.000Z' },
    });
  });
});

describe('transfers and refunds of gatewaypoa', () => {
  it.each([
    [{ reference: 'T', status: 'processing' } as const, { status: 'waiting' }],
    [{ reference: 'T', status: 'settled' } as const, { status: 'settled' }],
    [
      { reference: 'T', status: 'rejected', failure_code: null } as const,
      { status: 'rejected', failure_code: 'transfer_rejected' },
    ],
  ])('given the transfer %j, when it is read, then %j', (wire, expected) => {
    expect(toTransferStatus(wire)).toEqual(expected);
  });

  it.each([
    [{ reference: 'R', status: 'processing' } as const, { status: 'waiting' }],
    [{ reference: 'R', status: 'processed' } as const, { status: 'successful' }],
    [
      { reference: 'R', status: 'failed', failure_code: 'closed' } as const,
      { status: 'failed', failure_code: 'closed' },
    ],
  ])('given the refund %j, when it is read, then %j', (wire, expected) => {
    expect(toRefundStatus(wire)).toEqual(expected);
  });

  it('given shares in rupees, when a transfer is written, then each is whole paise', () => {
    const shares = [{ order: 'mfp_1', old_id: 1, amount: Decimal.parse('0.01') }];
    const written = fromTransfer({ reference: 'T1', payment_reference: 'P1', shares });
    expect(written.shares).toEqual([{ order: 'mfp_1', old_id: 1, amount_paise: 1 }]);
  });
});
