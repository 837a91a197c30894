import {
  simulateMandateRequest,
  simulateOrderRequest,
  simulatePaymentRequest,
  simulateUpstreamMandate,
  simulateUpstreamOrder,
  simulateUpstreamPayment,
} from './simulate.dto.ts';

describe('a word of the simulate routes (SAND-10)', () => {
  it.each([
    [simulatePaymentRequest, 'success', 'SUCCESS'],
    [simulatePaymentRequest, 'Transfer_Rejected', 'TRANSFER_REJECTED'],
    [simulateUpstreamPayment, 'Success', 'SUCCESS'],
    [simulateUpstreamPayment, 'approved', 'APPROVED'],
    [simulateMandateRequest, 'approved', 'APPROVED'],
    [simulateOrderRequest, 'SUCCESSFUL', 'successful'],
  ])('is taken in any letter case: %#', (schema, written, status) => {
    expect(schema.parse({ status: written })).toEqual({ status });
  });

  // Each step that clients of the upstream have, as its reference lists them.
  it.each([
    [simulateUpstreamPayment, 'INITIATED PENDING SUBMITTED APPROVED REJECTED TIMEDOUT SUCCESS FAILED'],
    [simulateUpstreamMandate, 'CREATED RECEIVED SUBMITTED APPROVED REJECTED'],
    [simulateUpstreamOrder, 'PAYMENT_CONFIRMED SUBMITTED SUCCESSFUL FAILED REVERSED'],
  ])(
    'of the upstream is taken from its clients, in any letter case (COMP-11, COMP-13, COMP-14): %#',
    (schema, words) => {
      for (const status of words.split(' '))
        for (const written of [status, status.toLowerCase()])
          expect([written, schema.safeParse({ status: written }).success]).toEqual([written, true]);
    },
  );

  it.each([
    [simulatePaymentRequest, { status: 'paid' }],
    [simulatePaymentRequest, { status: 'APPROVED' }],
    [simulatePaymentRequest, { status: 'TIMEDOUT' }],
    [simulateMandateRequest, { status: 'CREATED' }],
    [simulateOrderRequest, { status: 'SUBMITTED' }],
    [simulateUpstreamOrder, { status: 'SUBMITTED', failure_code: 'refused' }],
    [simulateUpstreamPayment, { status: 'APPROVED', failure_code: 'tpv_failed' }],
    [simulatePaymentRequest, { status: 'success', failure_code: 'tpv_failed' }],
    [simulateMandateRequest, { status: ['approved'] }],
    [simulateMandateRequest, {}],
    [simulateOrderRequest, { status: 'SUCCESSFUL', failure_code: 'refused' }],
    [simulateOrderRequest, 'successful'],
  ])('is refused like before otherwise: %#', (schema, body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});
