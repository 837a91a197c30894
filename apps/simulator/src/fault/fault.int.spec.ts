import { newOrder, newPayment } from '@fundrail/providers/testing';
import { waitFor } from '@fundrail/testing';
import { ADAPTER_TIMEOUT_MS, API_KEY, SimulatorStage } from '../testing/simulator-stage.ts';

describe('faults of the calls (SAND-12)', () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterAll(() => stage.end());

  const arm = (kind: string, parts: object = {}, tenant = 'demo') =>
    stage.post(
      '/sandbox/faults',
      { target: 'gatewaypoa', operation: 'review', kind, times: 1, ...parts },
      tenant,
    );
  const has = async (reference: string) => (await stage.orders.status(reference)).kind === 'yes';

  it.each([
    ['drop', 'no_answer', false],
    ['status_500', 'no_answer', false],
    ['delay', 'no_answer', true],
    ['nonsense', 'not_understood', true],
  ])(
    'given %s, when a call is affected, then it is %s and its effect there: %s',
    async (kind, why, effect) => {
      const order = newOrder();
      await arm(kind, { delay_ms: 2 * ADAPTER_TIMEOUT_MS });
      expect(await stage.orders.requestReview(order)).toMatchObject({ kind: 'unknown', why });
      expect(await has(order.reference)).toBe(effect);
    },
  );

  it('given duplicate, when a call is affected, then it is executed twice and has one effect', async () => {
    const order = newOrder();
    await arm('duplicate');
    expect(await stage.orders.requestReview(order)).toEqual({ kind: 'yes', value: null });
    await waitFor(() => stage.callbacks.about(order.reference).length > 0);
    await stage.post('/sandbox/clock', { advance: 'PT1H' });
    expect(stage.callbacks.about(order.reference)).toHaveLength(1);
  });

  it('given reorder, when two calls come, then the later one is executed first', async () => {
    const [first, second] = [newOrder(), newOrder()];
    // The later call has to come and end in this time, on a busy machine too.
    await arm('reorder', { delay_ms: ADAPTER_TIMEOUT_MS - 500 });
    const ended: string[] = [];
    const call = async (order: typeof first) => {
      await stage.orders.requestReview(order);
      ended.push(order.reference);
    };
    const overtaken = call(first);
    await waitFor(async () => (await liveFaults()) === 0);
    await Promise.all([overtaken, call(second)]);
    expect(ended).toEqual([second.reference, first.reference]);
  });

  it('given plain_handle, when a URI is requested twice, then only the second pays a validated handle (FLOW-16)', async () => {
    const payment = newPayment();
    await arm('plain_handle', { operation: 'payment' });
    const payee = async () => {
      const answer = await stage.payments.issueUpiUri(payment);
      return answer.kind === 'yes' ? /\?pa=([^&]+)/.exec(answer.value.uri)?.[1] : answer.kind;
    };
    expect([await payee(), await payee()]).toEqual(['fundrail@sandbox', 'fundrail.mf@validsandbox']);
  });

  it('given two times, when three calls come, then two are affected', async () => {
    await arm('status_500', { times: 2 });
    const kinds: string[] = [];
    for (let call = 0; call < 3; call += 1) kinds.push((await stage.orders.requestReview(newOrder())).kind);
    expect(kinds).toEqual(['unknown', 'unknown', 'yes']);
  });

  it("given another tenant's fault, when a call comes, then it is not affected", async () => {
    await arm('status_500', {}, 'other');
    expect(await stage.orders.requestReview(newOrder())).toMatchObject({ kind: 'yes' });
    expect(await stage.orders.requestReview(newOrder({ tenant: 'other' }))).toMatchObject({
      kind: 'unknown',
    });
  });

  it('given an unknown operation, when the fault is requested, then it is a 400 that names it', async () => {
    const answer = await arm('drop', { operation: 'sing' });
    expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'operation' }] } } });
  });

  it.each([
    ['a wrong API key', { authorization: 'Bearer wrong', 'idempotency-key': 'x' }, 401, 'unauthorized'],
    ['no idempotency-key', { authorization: `Bearer ${API_KEY}` }, 422, 'idempotency_key_missing'],
  ])(
    "given %s, when a call comes, then it is refused in the gateway's own form",
    async (_, headers, status, code) => {
      const answer = await stage.service.fastify.inject({
        method: 'POST',
        url: '/gatewaypoa/orders/review',
        headers: { ...headers, 'content-type': 'application/json' },
        payload: '{}',
      });
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ code });
    },
  );

  async function liveFaults(): Promise<number> {
    const statement = {
      name: 'spec.live_faults',
      text: 'SELECT count(*) AS live FROM faults WHERE remaining > 0',
    };
    return (await stage.service.database.query<{ live: number }>(statement))[0]?.live ?? 0;
  }
});
