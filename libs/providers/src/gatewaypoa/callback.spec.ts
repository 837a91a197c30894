import { BadSignature, UnreadableCallback } from '../answer.ts';
import { readOrderCallback, readPaymentCallback } from './callback.ts';
import { SIGNATURE_HEADER, signCallback } from './signature.ts';

const NOW = new Date('2026-12-21T10:00:00+05:30');
const check = { webhookSecret: 'secret', now: () => NOW };
const headersOf = (body: string) => ({ [SIGNATURE_HEADER]: signCallback('secret', body, NOW) });
const orders = (body: string) => readOrderCallback(check, headersOf(body), body);
const payments = (body: string) => readPaymentCallback(check, headersOf(body), body);

const order = {
  reference: 'mfp_1',
  review: { status: 'passed' },
  submission: { status: 'none' },
  outcome: { status: 'processing' },
};

describe('the callbacks of gatewaypoa', () => {
  it('given an order callback, when it is read, then it contains the event id, the order and its state', () => {
    const body = JSON.stringify({
      event_id: 'e1',
      event: 'order.updated',
      reference: 'mfp_1',
      order,
      extra: 1,
    });
    expect(orders(body)).toMatchObject({
      event_id: 'e1',
      reference: 'mfp_1',
      status: { review: { result: 'passed' } },
    });
  });

  it.each([
    [
      'payment.updated',
      { payment: { reference: 'P1', status: 'awaiting_payer', upi_uri: 'upi://pay' } },
      'payment',
    ],
    ['transfer.updated', { transfer: { reference: 'T1', status: 'settled' } }, 'transfer'],
    ['refund.updated', { refund: { reference: 'R1', status: 'processed' } }, 'refund'],
  ])('given %s, when it is read, then its fact is returned', (event, object, about) => {
    const { reference } = Object.values(object)[0] as { reference: string };
    const body = JSON.stringify({ event_id: 'e1', event, reference, ...object });
    expect(payments(body)).toMatchObject({ event_id: 'e1', reference, fact: { about } });
    const other = JSON.stringify({ event_id: 'e1', event, reference: 'X1', ...object });
    expect(payments(other)).toEqual({ event_id: 'e1', reference: 'X1', fact: null });
  });

  it('given a debit, when it is read, then it has a fact only under the reference of its payment (CAP-1)', () => {
    const debit = { reference: 'P1A1', payment_reference: 'P1', status: 'processing' };
    const body = (reference: string) =>
      JSON.stringify({ event_id: 'e1', event: 'debit.updated', reference, debit });
    expect(payments(body('P1')).fact).toMatchObject({ about: 'debit', attempt_reference: 'P1A1' });
    expect(payments(body('P2')).fact).toBeNull();
  });

  it('given a notice whose debit the investor refuses, when it is read, then it has a fact only under the reference of its payment (DEB-21)', () => {
    const body = (reference: string, status = 'opted_out') =>
      JSON.stringify({
        ...{ event_id: 'e1', event: 'notice.updated', reference },
        notice: { reference: 'P1N2', payment_reference: 'P1', status },
      });
    const fact = { about: 'notice', notice_number: 2, notice: { status: 'opted_out' } };
    expect(payments(body('P1')).fact).toEqual(fact);
    expect(payments(body('P2')).fact).toBeNull();
    expect(payments(body('P1', 'sent')).fact).toBeNull();
  });

  it('given the object of another order, when it is read, then it has no status (CAP-1)', () => {
    const body = JSON.stringify({ event_id: 'e1', event: 'order.updated', reference: 'mfp_2', order });
    expect(orders(body)).toEqual({ event_id: 'e1', reference: 'mfp_2', status: null });
  });

  it.each([
    ['an unknown status', { event: 'order.updated', order: { ...order, review: { status: 'teleported' } } }],
    ['an unknown event', { event: 'order.sung', order }],
    ['no object', { event: 'order.updated' }],
  ])('given %s, when it is read, then the order is known and its status is null', (_, parts) => {
    const body = JSON.stringify({ event_id: 'e1', reference: 'mfp_1', ...parts });
    expect(orders(body)).toEqual({ event_id: 'e1', reference: 'mfp_1', status: null });
  });

  it('given a payment callback with an unknown status, when it is read, then it has no fact', () => {
    const payment = { reference: 'P1', status: 'teleported', upi_uri: 'upi://pay' };
    const body = JSON.stringify({ event_id: 'e1', event: 'payment.updated', reference: 'P1', payment });
    expect(payments(body)).toEqual({ event_id: 'e1', reference: 'P1', fact: null });
  });

  it.each([
    ['no JSON', '<html>'],
    ['no reference', '{"event_id":"e1","event":"order.updated"}'],
    ['a list', '[]'],
    ['a NUL in its reference', '{"event_id":"e1","event":"order.updated","reference":"mfp_\\u0000"}'],
    [
      'a NUL in any text',
      '{"event_id":"e1","event":"order.updated","reference":"mfp_1","x":{"y":["\\u0000"]}}',
    ],
    ['half a character', '{"event_id":"e1","event":"order.updated","reference":"mfp_1","x":"\\ud83d"}'],
    ['a reference of 256 characters', `{"event_id":"e1","event":"x","reference":"${'r'.repeat(256)}"}`],
    ['a reference of 60 kB', `{"event_id":"e1","event":"x","reference":"${'r'.repeat(60_000)}"}`],
    ['a text above 2 KiB', `{"event_id":"e1","event":"x","reference":"r","said":"${'é'.repeat(1_025)}"}`],
    [
      'lists in lists',
      `{"event_id":"e1","event":"x","reference":"r","said":${'['.repeat(40)}${']'.repeat(40)}}`,
    ],
  ])('given %s under a good signature, when it is read, then it is unreadable', (_, body) => {
    expect(() => orders(body)).toThrow(UnreadableCallback);
  });

  it('given a foreign signature, when it is read, then the body is not read (GATE-7)', () => {
    expect(() =>
      readOrderCallback(check, { [SIGNATURE_HEADER]: signCallback('other', 'x', NOW) }, 'x'),
    ).toThrow(BadSignature);
  });
});
