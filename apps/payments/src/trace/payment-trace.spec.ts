import { newDebit } from '../debit/debit.ts';
import type { AttemptRow } from '../debit/debit.tables.ts';
import type { Payment } from '../payment/payment.ts';
import type { RefundRow } from '../payment/payment.tables.ts';
import { aPayment, minutesLater, NOW, rupees, states } from '../testing/payments.builder.ts';
import { FakeMandates } from '../testing/fake-mandates.ts';
import { toTrace, type TraceFacts } from './payment-trace.ts';
import type { ProviderCallRow } from './provider-call.repository.ts';

const facts = (payment: Payment, changes: Partial<TraceFacts> = {}): TraceFacts => ({
  ...{ payment, debit: null, states: states(), calls: new Map(), history: [] },
  nextTry: () => null,
  ...changes,
});

const refund = (changes: Partial<RefundRow>): RefundRow => ({
  ...{
    reference: 'R1',
    tenant: 'demo',
    payment_id: 1001,
    number: 1,
    amount: rupees('1001'),
    status: 'CREATED',
  },
  ...{ reason: 'order_failed', failure_code: null, attempt: 1, accepted: false, returned_by: 'provider' },
  ...{ amc_order_ids: [11], created_at: NOW },
  ...changes,
});

const call = (reference: string): ProviderCallRow => ({
  ...{ reference, attempts: 4, tried_at: NOW, call: 'execute', outcome: 'too_many_requests', detail: null },
  answered_at: NOW,
});

describe('the trace of a payment', () => {
  it('has no transfer before one is started', () => {
    expect(toTrace(facts(aPayment())).transfer).toBeNull();
  });

  it('shows the orders of a rejected transfer, even after their money went back', () => {
    const refunds = [
      refund({ amc_order_ids: [11] }),
      refund({ reference: 'R2', number: 2, reason: 'transfer_rejected', amc_order_ids: [12] }),
    ];
    const { transfer } = toTrace(facts(aPayment({ status: 'REJECTED', transfer_reference: 'T1', refunds })));
    expect([transfer?.amc_order_ids, transfer?.amount.toFixed2()]).toEqual([[12], '5000.50']);
  });

  it('shows the calls of a postponed execution with the one that is planned in its place', () => {
    const mandate = new FakeMandates('invp_a').anApproved();
    const debit = newDebit(1001, mandate, 'token', NOW);
    const next = minutesLater(5);
    const nextTry: TraceFacts['nextTry'] = (kinds) =>
      kinds.includes('debit.execute.gatewaypoa') ? next : null;
    const calls = new Map([['P000000001001A1', call('P000000001001A1')]]);
    const trace = toTrace(facts(aPayment({ payment_type: 'NACH' }), { debit, calls, nextTry }));
    expect(trace.collection).toBeNull();
    expect(trace.debit?.executions).toMatchObject([
      { number: 1, started_at: null, attempts: 4, next_try_at: '2026-12-21T10:05:00.000+05:30' },
    ]);
  });

  it('plans queries for the open attempt only, or for all that the provider may have received when none is open', () => {
    const attempt = (number: number, changes: Partial<AttemptRow>): AttemptRow => ({
      ...{
        payment_id: 1001,
        number,
        tenant: 'demo',
        reference: `A${number}`,
        started_at: NOW,
        called_at: null,
      },
      ...{ uncalled: false, accepted_at: null, ended_at: NOW, failure_code: 'payment_failed', never: null },
      ...changes,
    });
    const planned = (...attempts: readonly AttemptRow[]) => {
      const debit = { ...newDebit(1001, new FakeMandates('invp_a').anApproved(), 'token', NOW), attempts };
      const nextTry: TraceFacts['nextTry'] = (kinds) => (kinds.includes('debit.status') ? NOW : null);
      const trace = toTrace(facts(aPayment({ payment_type: 'NACH' }), { debit, nextTry }));
      return trace.debit?.executions.map(({ next_try_at }) => next_try_at !== null);
    };
    expect(planned(attempt(1, {}), attempt(2, { ended_at: null, failure_code: null }))).toEqual([
      false,
      true,
    ]);
    expect(planned(attempt(1, {}), attempt(2, { never: 'forbidden' }))).toEqual([true, false]);
  });
});
