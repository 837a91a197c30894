import { Decimal } from '@fundrail/contracts';
import { eventually, newOrder, newPayment } from '@fundrail/providers/testing';
import type { GatewayOrder, ProviderPayment } from '@fundrail/providers';
import { tenantToken } from '@fundrail/testing';
import { SimulatorStage } from '../testing/simulator-stage.ts';

describe('simulated outcomes', () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterAll(() => stage.end());
  afterEach(() => {
    Object.assign(stage.neighbours.holds, {
      hold_transfer: false,
      hold_review: false,
      hold_registrar: false,
    });
  });

  const simulatePayment = (id: number, body: object, tenant?: string) =>
    stage.post(`/api/pg/simulate/payments/${id}`, body, tenant);
  const simulateOrder = (oldId: number, status: string, tenant?: string) =>
    stage.post(`/api/oms/simulate/orders/${oldId}`, { status }, tenant);
  const issued = async () => {
    const payment = newPayment();
    await stage.payments.issueUpiUri(payment);
    return payment;
  };
  const submitted = async (parts: Partial<GatewayOrder> = {}) => {
    const order = newOrder(parts);
    await stage.orders.requestReview(order);
    await eventually(
      () => stage.orders.submit(order),
      ({ kind }) => kind === 'yes',
    );
    return order;
  };
  const transfer = async (payment: ProviderPayment, order: GatewayOrder) => {
    const shares = [{ order: order.reference, old_id: order.old_id, amount: Decimal.parse('5000') }];
    const reference = `T${payment.payment_id}`;
    await stage.payments.transfer({ reference, payment_reference: payment.reference, shares });
    return reference;
  };
  const outcomeOf = async ({ reference }: GatewayOrder) => {
    const answer = await stage.orders.status(reference);
    return answer.kind === 'yes' ? answer.value.outcome.result : answer.kind;
  };
  /** A move of the clock returns only when every due step is done or held. */
  const settled = () => stage.post('/sandbox/clock', { advance: 'PT2S' });

  it('given a payment with its own payee name, when its URI is issued, then it contains that name', async () => {
    const answer = await stage.payments.issueUpiUri(newPayment({ payee_name: 'Acme Wealth' }));
    expect(answer).toMatchObject({ value: { uri: expect.stringContaining('&pn=Acme%20Wealth&') } });
  });

  it("given another tenant's token, when it is used, then both are a 404", async () => {
    const payment = await issued();
    const order = await submitted();
    expect((await simulatePayment(payment.payment_id, { status: 'SUCCESS' }, 'other')).status).toBe(404);
    expect((await simulateOrder(order.old_id, 'failed', 'other')).status).toBe(404);
  });

  it('given an outcome, when it is requested twice, then the second is a 409 that names both states (SAND-7, SAND-10)', async () => {
    const { payment_id } = await issued();
    expect((await simulatePayment(payment_id, { status: 'SUCCESS' })).status).toBe(200);
    const again = await simulatePayment(payment_id, { status: 'SUCCESS' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
    expect((await simulatePayment(payment_id, { status: 'FAILED' })).status).toBe(409);
  });

  it('given a failed payment, when it succeeds later, then it is captured: the late authorisation (SAND-7)', async () => {
    const { payment_id, reference } = await issued();
    await simulatePayment(payment_id, { status: 'FAILED', failure_code: 'bank_downtime' });
    expect((await simulatePayment(payment_id, { status: 'SUCCESS' })).status).toBe(200);
    expect(await stage.payments.paymentStatus(reference)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given the steps of the upstream, when its client takes them one by one, then each is accepted (COMP-11)', async () => {
    const authorization = tenantToken('demo', '', new Date(), { compatibility: 'upstream' });
    const step = (id: number, status: string, headers = { authorization }) =>
      stage.post(`/api/pg/simulate/payments/${id}`, { status }, 'demo', headers);
    const { payment_id: id, reference } = await issued();
    const standing = () => stage.payments.paymentStatus(reference);
    expect((await step(id, 'SUBMITTED')).status).toBe(200);
    expect(await standing()).not.toMatchObject({ value: { status: 'captured' } });
    for (const status of ['approved', 'SUBMITTED', 'INITIATED', 'PENDING', 'APPROVED', 'SUCCESS'])
      expect([status, (await step(id, status)).status]).toEqual([status, 200]);
    expect(await standing()).toMatchObject({ value: { status: 'captured' } });
    expect((await simulatePayment(id, { status: 'APPROVED' })).status).toBe(400);
    expect((await simulatePayment(id, { status: 'SUCCESS' })).status).toBe(409);
  });

  it.each([
    ['TIMEDOUT', [], { status: 'failed', failure_code: 'pg_timeout' }],
    ['REJECTED', [], { status: 'failed', failure_code: 'payment_failed' }],
    ['REJECTED', ['APPROVED'], { status: 'captured' }],
  ])(
    'given the ends of the upstream, when %s is simulated after %j, then the payment is %j (COMP-11)',
    async (end, before, value) => {
      const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
      const [payment, order] = [await issued(), await submitted()];
      for (const status of [...before, end])
        expect(
          (await stage.post(`/api/pg/simulate/payments/${payment.payment_id}`, { status }, 'demo', headers))
            .status,
        ).toBe(200);
      expect(await stage.payments.paymentStatus(payment.reference)).toMatchObject({ value });
      if (before.length === 0) return;
      const reference = await transfer(payment, order);
      const ended = await eventually(
        () => stage.payments.transferStatus(reference),
        (answer) => answer.kind === 'yes' && answer.value.status !== 'waiting',
      );
      expect(ended).toMatchObject({ value: { status: 'rejected' } });
    },
  );

  it('given the steps of the upstream, when its client takes them with an order, then the registrar still decides (COMP-14)', async () => {
    const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
    const order = await submitted();
    const step = async (status: string, id = order.old_id) =>
      (await stage.post(`/api/oms/simulate/orders/${id}`, { status }, 'demo', headers)).status;
    expect([await step('PAYMENT_CONFIRMED'), await step('SUBMITTED')]).toEqual([200, 200]);
    expect(await outcomeOf(order)).toBe('waiting');
    expect(await step('SUBMITTED', 987_654)).toBe(404);
    expect((await simulateOrder(order.old_id, 'SUBMITTED')).status).toBe(400);
    expect(await step('FAILED')).toBe(200);
    expect(await outcomeOf(order)).toBe('failed');
  });

  it.each(['PENDING', 'SUBMITTED'])(
    'given a failed payment, when a client of the upstream simulates %s, which never comes, then that is a 400 (COMP-11)',
    async (status) => {
      const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
      const { payment_id } = await issued();
      await simulatePayment(payment_id, { status: 'FAILED' });
      const path = `/api/pg/simulate/payments/${payment_id}`;
      const answer = await stage.post(path, { status }, 'demo', headers);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
    },
  );

  it('given a rejected transfer, when a client of the upstream simulates a step before, then that is a 400 (COMP-11)', async () => {
    const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
    const [payment, order] = [await issued(), await submitted()];
    const step = async (status: string) =>
      (await stage.post(`/api/pg/simulate/payments/${payment.payment_id}`, { status }, 'demo', headers))
        .status;
    expect([await step('APPROVED'), await step('REJECTED')]).toEqual([200, 200]);
    const steps = ['PENDING', 'SUBMITTED', 'INITIATED', 'APPROVED', 'SUCCESS'];
    expect(await Promise.all(steps.map(step))).toEqual(steps.map(() => 400));
    const reference = await transfer(payment, order);
    await eventually(
      () => stage.payments.transferStatus(reference),
      (answer) => answer.kind === 'yes' && answer.value.status === 'rejected',
    );
    expect(await Promise.all(steps.map(step))).toEqual(steps.map(() => 400));
  });

  it('given a failed or reversed order, when a client of the upstream simulates a step before, then that is a 400 (COMP-14)', async () => {
    const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
    const [failed, reversed] = [await submitted(), await submitted()];
    const payment = await issued();
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    await transfer(payment, reversed);
    await eventually(
      () => outcomeOf(reversed),
      (result) => result === 'successful',
    );
    const steps = async ({ old_id }: GatewayOrder) =>
      Promise.all(
        ['PAYMENT_CONFIRMED', 'SUBMITTED'].map((status) =>
          stage.post(`/api/oms/simulate/orders/${old_id}`, { status }, 'demo', headers),
        ),
      );
    expect((await steps(reversed)).map(({ status }) => status)).toEqual([200, 200]);
    await simulateOrder(failed.old_id, 'failed');
    await simulateOrder(reversed.old_id, 'reversed');
    for (const order of [failed, reversed])
      for (const answer of await steps(order))
        expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
  });

  it('given a payment whose URI is being issued, when a client of the upstream simulates it at once, then that waits (COMP-11)', async () => {
    const headers = { authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream' }) };
    const payment = newPayment();
    stage.neighbours.payments.set(payment.payment_id, 'demo');
    const path = `/api/pg/simulate/payments/${payment.payment_id}`;
    const [{ status }] = await Promise.all([
      stage.post(path, { status: 'SUCCESS' }, 'demo', headers),
      stage.payments.issueUpiUri(payment),
    ]);
    expect(status).toBe(200);
    stage.neighbours.payments.set(777_003, 'demo');
    const never = await stage.post(
      '/api/pg/simulate/payments/777003',
      { status: 'SUCCESS' },
      'demo',
      headers,
    );
    expect(never.status).toBe(400);
  });

  it('given a payment that was not issued, when it is simulated, then 409; an unknown payment: 404', async () => {
    stage.neighbours.payments.set(777_001, 'demo');
    expect((await simulatePayment(777_001, { status: 'SUCCESS' })).status).toBe(409);
    expect((await simulatePayment(777_001, { status: 'SUCCESS' }, 'other')).status).toBe(404);
    expect((await simulatePayment(777_002, { status: 'SUCCESS' })).status).toBe(404);
    expect((await stage.post('/api/pg/simulate/payments/abc', { status: 'SUCCESS' })).status).toBe(404);
  });

  it.each([
    [{ status: 'PAID' }],
    [{ status: 'FAILED', failure_code: 'no_such_code' }],
    [{ status: 'SUCCESS', failure_code: 'payment_failed' }],
    [{}],
  ])('given %j, when it is requested, then it is a 400', async (body) => {
    expect((await simulatePayment((await issued()).payment_id, body)).status).toBe(400);
  });

  it('given a transfer that is to be rejected, when it starts, then it is, and no order is processed (SAND-7)', async () => {
    const [payment, order] = [await issued(), await submitted()];
    expect((await simulatePayment(payment.payment_id, { status: 'TRANSFER_REJECTED' })).status).toBe(409);
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    expect((await simulatePayment(payment.payment_id, { status: 'TRANSFER_REJECTED' })).status).toBe(200);
    const reference = await transfer(payment, order);
    const ended = await eventually(
      () => stage.payments.transferStatus(reference),
      (answer) => answer.kind === 'yes' && answer.value.status !== 'waiting',
    );
    expect(ended).toMatchObject({ value: { status: 'rejected', failure_code: 'transfer_rejected' } });
    expect(await outcomeOf(order)).toBe('waiting');
    expect((await simulatePayment(payment.payment_id, { status: 'TRANSFER_REJECTED' })).status).toBe(409);
  });

  it('given a held transfer, when it is rejected by request, then it ends immediately (SAND-13)', async () => {
    stage.neighbours.holds.hold_transfer = true;
    const [payment, order] = [await issued(), await submitted()];
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    const reference = await transfer(payment, order);
    await settled();
    expect(await stage.payments.transferStatus(reference)).toMatchObject({ value: { status: 'waiting' } });
    await simulatePayment(payment.payment_id, { status: 'TRANSFER_REJECTED', failure_code: 'amc_closed' });
    expect(await stage.payments.transferStatus(reference)).toMatchObject({
      value: { status: 'rejected', failure_code: 'amc_closed' },
    });
  });

  it('given a hold that was set right after a step read the settings, when the registrar is due, then it is held (SAND-13)', async () => {
    const [payment, order] = [await issued(), await submitted()];
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    stage.neighbours.holds.hold_registrar = true;
    await transfer(payment, order);
    await settled();
    expect(await outcomeOf(order)).toBe('waiting');
  });

  it('given a held registrar, when the hold is lifted, then the order continues automatically (SAND-13)', async () => {
    stage.neighbours.holds.hold_registrar = true;
    const [payment, order] = [await issued(), await submitted()];
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    await transfer(payment, order);
    await settled();
    expect(await outcomeOf(order)).toBe('waiting');
    stage.neighbours.holds.hold_registrar = false;
    expect(
      await eventually(
        () => outcomeOf(order),
        (result) => result !== 'waiting',
      ),
    ).toBe('successful');
  });

  it('given a successful order, when it is reversed, then it is; again is a 409 (SAND-9, SAND-10)', async () => {
    const [payment, order] = [await issued(), await submitted()];
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    await transfer(payment, order);
    await eventually(
      () => outcomeOf(order),
      (result) => result === 'successful',
    );
    expect((await simulateOrder(order.old_id, 'reversed')).status).toBe(200);
    expect(await outcomeOf(order)).toBe('reversed');
    expect((await simulateOrder(order.old_id, 'reversed')).status).toBe(409);
  });

  it('given an amount that ends in 1, when the money has arrived, then the registrar refuses', async () => {
    const [payment, order] = [await issued(), await submitted({ amount: Decimal.parse('5001') })];
    await simulatePayment(payment.payment_id, { status: 'SUCCESS' });
    await transfer(payment, order);
    expect(
      await eventually(
        () => outcomeOf(order),
        (result) => result !== 'waiting',
      ),
    ).toBe('failed');
  });

  /** The tenant's settings are cached for a second: a step of another order shows when the new ones are in use. */
});
