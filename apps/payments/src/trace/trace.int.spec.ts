import { istTimestamp, parseJson, paymentTrace, type PaymentTraceDto } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { Answer, TransferStatus } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

const unknown = (detail: string) => ({ kind: 'unknown', why: 'no_answer', detail }) as const;
const DOWN = unknown('status 503');
const TIMED_OUT = unknown('TimeoutError: The operation was aborted due to timeout');
/** Personal data in the fakes, which must not appear in a trace. */
const PERSONAL = /001122334455|investor@example\.com|9876543210|A Investor|@upi|secret/;

type Caller = { readonly tenant?: string; readonly scope?: string; readonly named?: string };

async function getTrace(stage: PaymentsStage, id: number | string, { tenant, scope, named }: Caller = {}) {
  const authorization = stage.neighbours.tokens.header(tenant ?? 'demo', scope ?? 'admin');
  const headers = { authorization, ...(named === undefined ? {} : { 'x-tenant-id': named }) };
  return stage.send('GET', `/admin/payments/${id}/trace`, undefined, headers);
}

async function traceOf(stage: PaymentsStage, id: number): Promise<PaymentTraceDto> {
  const { status, body } = await getTrace(stage, id);
  expect([status, body]).toEqual([200, expect.not.stringMatching(PERSONAL)]);
  return paymentTrace.parse(parseJson(body));
}

/** Waits until the trace meets the condition. */
function traceWhen(
  stage: PaymentsStage,
  id: number,
  condition: (trace: PaymentTraceDto) => boolean,
): Promise<PaymentTraceDto> {
  return waitFor(
    async () => {
      stage.service.dueWorker.wake();
      const trace = await traceOf(stage, id);
      return condition(trace) ? trace : null;
    },
    { what: `the trace of ${id}` },
  );
}

const later = (stage: PaymentsStage, ms: number) => istTimestamp(new Date(stage.clock.now().getTime() + ms));

describe('GET /admin/payments/:id/trace (ADMIN-14)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await stage.stop();
  });

  const paid = (id: number, reference = 'c1') =>
    stage.report({
      reference: paymentReference(id),
      fact: { about: 'payment', payment: capturedAs(reference, '5000') },
    });

  it('given a transfer that was answered 503 twice and then hangs, shows the number of attempts, the next one and the last answer', async () => {
    const hanging = Promise.withResolvers<Answer<TransferStatus>>();
    const transfer = jest
      .spyOn(stage.provider, 'transfer')
      .mockResolvedValueOnce(DOWN)
      .mockResolvedValueOnce(DOWN)
      .mockReturnValueOnce(hanging.promise);
    const order = stage.neighbours.anOrder();
    const id = await stage.payable(order);
    await paid(id);

    // The next try is recorded a moment after the answer.
    const triedAndPlanned = (attempts: number, nextMs: number) =>
      traceWhen(
        stage,
        id,
        ({ transfer }) => transfer?.attempts === attempts && transfer.next_try_at === later(stage, nextMs),
      );
    await triedAndPlanned(1, 5_000);
    await stage.pass(5_000);
    const second = await triedAndPlanned(2, 30_000);
    expect(second).toMatchObject({
      ...{ id, tenant: 'demo', status: 'INITIATED', refunds: [], debit: null },
      orders: [{ old_id: order.old_id, id: order.id, state: 'submitted', live: true }],
      captures: [{ provider_reference: 'c1', currency: 'INR', amc_order_ids: [order.old_id] }],
    });
    expect(second.transfer).toMatchObject({
      reference: paymentReference(id).replace('P', 'T'),
      last_tried_at: later(stage, 0),
      next_try_at: later(stage, 30_000),
      last_answer: { call: 'transfer', outcome: 'no_answer', text: 'status 503', at: later(stage, 0) },
      accepted_at: null,
      amc_order_ids: [order.old_id],
    });
    expect(second.transfer?.amount.toFixed2()).toBe('5000.00');

    await stage.pass(30_000);
    await waitFor(() => transfer.mock.calls.length === 3);
    const during = await traceOf(stage, id);
    expect(during.transfer).toMatchObject({ attempts: 2, last_answer: { text: 'status 503' } });
    hanging.resolve(TIMED_OUT);
    const after = await traceWhen(stage, id, (trace) => trace.transfer?.attempts === 3);
    expect(after.transfer?.last_answer).toMatchObject({ outcome: 'no_answer', text: TIMED_OUT.detail });
    await stage.until(
      id,
      async () => (await traceOf(stage, id)).transfer?.next_try_at === later(stage, 300_000),
    );
  });

  it('given a refund without an answer of the provider, shows its reference, its orders and its next attempt', async () => {
    const order = stage.neighbours.anOrder();
    const id = await stage.payable(order);
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    stage.provider.onRefund.set(SILENCE);
    await paid(id);

    const trace = await traceWhen(stage, id, ({ refunds }) => refunds[0]?.attempts === 1);

    expect(trace).toMatchObject({ status: 'FAILED', failure_code: 'user_cancelled', transfer: null });
    expect(trace.refunds).toMatchObject([
      {
        reference: `${paymentReference(id).replace('P', 'R')}001`,
        ...{ status: 'CREATED', reason: 'late_authorization', accepted: false, returned_by: 'provider' },
        last_tried_at: later(stage, 0),
        last_answer: { call: 'refund', outcome: 'no_answer', text: 'time-out', at: later(stage, 0) },
      },
    ]);
    await waitFor(async () => (await traceOf(stage, id)).refunds[0]?.next_try_at === later(stage, 5_000));
  });

  it('given a finished payment, shows no planned work and its steps', async () => {
    const id = await stage.payable();
    await paid(id);
    await stage.until(id, ({ status }) => status === 'INITIATED');
    const reference = paymentReference(id).replace('P', 'T');
    await stage.report({ reference, fact: { about: 'transfer', transfer: { status: 'settled' } } });
    // The planned status query and transfer work find nothing to do.
    await stage.pass(90_000);

    const trace = await traceWhen(
      stage,
      id,
      ({ collection, transfer }) => collection?.next_try_at === null && transfer?.next_try_at === null,
    );

    expect(trace).toMatchObject({
      ...{ status: 'APPROVED', settled_at: expect.any(String), refunds: [] },
      collection: { attempts: 1, last_answer: { call: 'issue_uri', outcome: 'answered', text: null } },
      transfer: { attempts: 1, last_answer: { call: 'transfer', outcome: 'answered', text: 'waiting' } },
    });
    expect(trace.history.map(({ step }) => step)).toEqual([
      'request_uri',
      'issue_uri',
      'succeed',
      'start_transfer',
      'accept_transfer',
      'settle',
    ]);
    expect(trace.history.at(-1)).toMatchObject({ from: 'INITIATED', to: 'APPROVED' });
  });

  it('given a payment of a release that recorded no calls, shows null', async () => {
    const id = await stage.payable();
    await stage.rows('DELETE FROM provider_calls');

    const { collection } = await traceOf(stage, id);

    expect(collection).toMatchObject({ attempts: null, last_tried_at: null, last_answer: null });
  });

  it('given an id without a payment, is a 404', async () => {
    for (const id of ['99999999', '0', '-1', 'abc', 'mfp_1'])
      expect([id, (await getTrace(stage, id)).status]).toEqual([id, 404]);
  });

  it('given a payment of another tenant, is a 404 unless x-tenant-id contains that tenant; each use is recorded (ADMIN-15)', async () => {
    const id = await stage.pay();
    const callers = [
      { tenant: 'other' },
      { tenant: 'other', named: 'demo' },
      { tenant: 'other', scope: 'api' },
      { tenant: 'demo', scope: 'api' },
    ];

    const answers: number[] = [];
    for (const caller of callers) answers.push((await getTrace(stage, id, caller)).status);
    const stranger = await stage.send('GET', `/admin/payments/${id}/trace`, undefined, { authorization: '' });

    expect([...answers, stranger.status]).toEqual([404, 200, 403, 403, 401]);
    const path = `/admin/payments/${id}/trace`;
    await waitFor(() => stage.neighbours.audit.filter((entry) => entry === path).length === 5);
    expect(stage.neighbours.audit.slice(0, 4)).toEqual([path, '404', path, '200']);
  });
});
