import {
  simulateMandateRequest,
  simulateOrderRequest,
  simulatePaymentRequest,
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

  it.each([
    [simulatePaymentRequest, { status: 'paid' }],
    [simulatePaymentRequest, { status: 'APPROVED' }],
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
