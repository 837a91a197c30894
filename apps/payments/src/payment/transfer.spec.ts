import { aPayment, capturedAs, eventsIn, NOW, states } from '../testing/payments.builder.ts';
import { captured } from './capture.ts';
import { paidOrdersChanged } from './orders-of-payment.ts';
import type { Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { beginTransfer, refundShares, transferAnswered, applyTransferStatus } from './transfer.ts';

const paid = (): Payment => captured(aPayment(), capturedAs('c1'), NOW).payment;
const bothSubmitted = states([11, 'submitted'], [12, 'submitted']);
const started = (): Payment => beginTransfer(paid(), bothSubmitted, NOW).payment;
const rejected = { status: 'rejected', failure_code: 'x' } as const;

describe('starting the transfer', () => {
  it('is INITIATED with our reference once all orders are submitted (XFER-1, PAY-25)', () => {
    const outcome = beginTransfer(paid(), bothSubmitted, NOW);
    expect(outcome.payment).toMatchObject({
      status: 'INITIATED',
      transfer_reference: 'T000000001001',
      transfer_initiated_at: NOW,
    });
    expect(eventsIn(outcome)).toEqual(['payment.initiated', 'payment.updated']);
  });

  it('waits in SUCCESS for an order that is not submitted', () => {
    expect(beginTransfer(paid(), states([11, 'submitted'], [12, 'confirmed']), NOW).steps).toEqual([]);
  });

  it('first gives back the share of an order that failed, and transfers the rest (REF-7, REF-10)', () => {
    const outcome = beginTransfer(paid(), states([11, 'failed'], [12, 'submitted']), NOW);
    expect(eventsIn(outcome)).toEqual(['payment.updated', 'payment.initiated', 'payment.updated']);
    expect(outcome.payment.refunds).toMatchObject([{ reason: 'order_failed', amc_order_ids: [11] }]);
    expect(outcome.payment.refunds[0]?.amount.toString()).toBe('1001.0000');
    expect(sharesLeft(outcome.payment).map((share) => share.old_id)).toEqual([12]);
    expect(outcome.payment.event_seq).toBe(paid().event_seq + 3);
  });

  it('ends in REJECTED when no share is left (REF-7)', () => {
    const outcome = beginTransfer(paid(), states([11, 'failed'], [12, 'cancelled']), NOW);
    expect(outcome.payment).toMatchObject({ status: 'REJECTED', rejected_at: NOW, transfer_reference: null });
    expect(outcome.payment.refunded_amount.toString()).toBe('6001.5000');
    expect(eventsIn(outcome)).toEqual(['payment.rejected', 'payment.updated']);
  });

  it.each(['PENDING', 'FAILED', 'INITIATED', 'APPROVED', 'REJECTED'] as const)(
    'does nothing in %s',
    (status) => {
      expect(beginTransfer(aPayment({ status }), bothSubmitted, NOW).steps).toEqual([]);
    },
  );
});

describe('the answer of the order gateway (XFER-2)', () => {
  it('settled makes the payment APPROVED (PAY-25)', () => {
    const outcome = applyTransferStatus(started(), { status: 'settled' }, NOW);
    expect(outcome.payment).toMatchObject({ status: 'APPROVED', settled_at: NOW });
    expect(applyTransferStatus(outcome.payment, { status: 'settled' }, NOW).steps).toEqual([]);
  });

  it('rejected makes the payment REJECTED and gives everything back (REF-12, PAY-25)', () => {
    const { payment } = applyTransferStatus(started(), rejected, NOW);
    expect(payment).toMatchObject({ status: 'REJECTED', rejected_at: NOW });
    expect(payment.refunds).toMatchObject([{ reason: 'transfer_rejected', amc_order_ids: [11, 12] }]);
    expect(payment.refunded_amount.equals(payment.received_amount)).toBe(true);
    expect(applyTransferStatus(payment, rejected, NOW).steps).toEqual([]);
  });

  it('rejected gives back only the money that is still here', () => {
    const partly = beginTransfer(paid(), states([11, 'failed'], [12, 'submitted']), NOW).payment;
    const { payment } = applyTransferStatus(partly, rejected, NOW);
    expect(payment.refunds.map((refund) => refund.amount.toString())).toEqual(['1001.0000', '5000.5000']);
  });

  it('waiting is recorded once, without an event', () => {
    const { payment } = applyTransferStatus(started(), { status: 'waiting' }, NOW);
    expect(payment.transfer_accepted_at).toEqual(NOW);
    expect(applyTransferStatus(payment, { status: 'waiting' }, NOW).steps).toEqual([]);
  });

  it('that changes later is a contradiction (PAY-31)', () => {
    const settled = applyTransferStatus(started(), { status: 'settled' }, NOW).payment;
    expect(applyTransferStatus(settled, rejected, NOW)).toMatchObject({
      steps: [],
      contradiction: 'rejected_after_approved',
    });
    const no = applyTransferStatus(started(), rejected, NOW).payment;
    expect(applyTransferStatus(no, { status: 'settled' }, NOW)).toMatchObject({
      steps: [],
      contradiction: 'settled_after_rejected',
    });
  });
});

describe('an order that fails while the money is on its way', () => {
  const oneFailed = states([11, 'failed'], [12, 'submitted']);

  it('changes nothing until the answer of the gateway (XFER-4)', () => {
    expect(paidOrdersChanged(started(), oneFailed, NOW).steps).toEqual([]);
  });

  it('gets its money back from the registrar once the transfer is settled, reported once', () => {
    const outcome = transferAnswered(started(), { status: 'settled' }, oneFailed, NOW);
    expect(outcome.payment).toMatchObject({
      status: 'APPROVED',
      refunds: [{ returned_by: 'registrar', amc_order_ids: [11] }],
    });
    expect(eventsIn(outcome)).toEqual(['payment.approved', 'payment.updated', 'payment.updated']);
    expect(transferAnswered(outcome.payment, { status: 'settled' }, oneFailed, NOW).steps).toEqual([]);
  });

  it('gets its money back only from us when the transfer is rejected', () => {
    const { payment } = transferAnswered(started(), rejected, oneFailed, NOW);
    expect(payment.refunds).toMatchObject([{ returned_by: 'provider', reason: 'transfer_rejected' }]);
    expect(payment.refunded_amount.toString()).toBe('6001.5000');
  });
});

it('an operator gives back one share, and the last one rejects the payment (REF-5)', () => {
  const [first, second] = paid().orders;
  const one = refundShares(paid(), first ? [first] : [], 'operator', NOW);
  expect(one.payment.status).toBe('SUCCESS');
  expect(refundShares(one.payment, second ? [second] : [], 'operator', NOW).payment.status).toBe('REJECTED');
});
