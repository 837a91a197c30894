import { eventually, newOrder, newPayment } from '@fundrail/providers/testing';
import { waitFor } from '@fundrail/testing';
import { SimulatorStage } from '../testing/simulator-stage.ts';

describe('the callbacks of the simulated systems', () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterEach(() => {
    stage.callbacks.answers = 200;
  });
  afterAll(() => stage.end());

  const eventIds = (reference: string) =>
    stage.callbacks.about(reference).map(({ raw }) => (JSON.parse(raw) as { event_id: string }).event_id);
  const advance = (duration: string) => stage.post('/sandbox/clock', { advance: duration });

  it('given a receiver that refuses, when the back-off has passed, then the same event is sent again', async () => {
    const order = newOrder();
    stage.callbacks.answers = 503;
    await stage.orders.requestReview(order);
    await waitFor(() => stage.callbacks.about(order.reference).length === 1);
    stage.callbacks.answers = 200;
    expect((await advance('PT10S')).status).toBe(200);
    await waitFor(() => stage.callbacks.about(order.reference).length === 2);
    expect(new Set(eventIds(order.reference)).size).toBe(1);
    await advance('P1D');
    expect(stage.callbacks.about(order.reference)).toHaveLength(2);
  });

  it('given a receiver that refuses for more than a day, when it is given up, then it is not sent again', async () => {
    const order = newOrder();
    stage.callbacks.answers = 503;
    await stage.orders.requestReview(order);
    await waitFor(() => stage.callbacks.about(order.reference).length === 1);
    await advance('P2D');
    const tries = stage.callbacks.about(order.reference).length;
    stage.callbacks.answers = 200;
    await advance('P2D');
    // 5 s, 30 s, 5 min, 1 h, then hourly (GATE-3), in a move after pauses that double (CLOCK-12).
    expect(tries).toBeGreaterThan(8);
    expect(stage.callbacks.about(order.reference)).toHaveLength(tries);
  });

  it('given a first callback that fails, when the second is there, then they are sent in order', async () => {
    const order = newOrder();
    stage.callbacks.answers = 503;
    await stage.orders.requestReview(order);
    await waitFor(() => stage.callbacks.about(order.reference).length >= 1);
    stage.callbacks.answers = 200;
    await stage.orders.submit(order);
    await advance('PT10S');
    const said = await eventually(
      () => stage.callbacks.about(order.reference).map(({ raw }) => raw.includes('"accepted"')),
      (all) => all.includes(true),
    );
    expect(said).toEqual([...said].sort());
  });

  it.each([
    ['drop', 0],
    ['duplicate', 2],
    ['status_500', 1],
    ['delay', 1],
  ])(
    'given the fault %s, when money comes in, then its callback comes %d times (SAND-12)',
    async (kind, times) => {
      const fault = {
        target: 'gatewaypoa',
        operation: 'callback_payments',
        kind,
        times: 1,
        delay_ms: 60_000,
      };
      expect((await stage.post('/sandbox/faults', fault)).status).toBe(200);
      const payment = newPayment();
      await stage.payments.issueUpiUri(payment);
      await stage.post(`/api/pg/simulate/payments/${payment.payment_id}`, { status: 'SUCCESS' });
      await advance('PT50S');
      expect(eventIds(payment.reference)).toHaveLength(kind === 'delay' ? 0 : times);
      await advance('P1D');
      expect(eventIds(payment.reference)).toHaveLength(times);
      expect(new Set(eventIds(payment.reference)).size).toBeLessThanOrEqual(1);
    },
  );

  it('given a service that stops before its callback was accepted, when it starts again, then it sends the callback', async () => {
    const order = newOrder();
    stage.callbacks.answers = 503;
    await stage.orders.requestReview(order);
    await waitFor(() => stage.callbacks.about(order.reference).length === 1);
    await stage.close();
    stage.callbacks.answers = 200;
    await stage.open();
    await advance('PT10S');
    await waitFor(() => stage.callbacks.about(order.reference).length === 2);
    expect(await stage.orders.status(order.reference)).toMatchObject({
      value: { review: { result: 'passed' } },
    });
  });
});
