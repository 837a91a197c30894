import type { ErrorBody } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { yes } from '@fundrail/testing';
import type { FakeOrder } from '../../testing/fake-neighbours.ts';
import { NOT_FOUND, SILENCE } from '../../testing/fake-provider.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../../testing/start-payments.ts';

const MINUTE = 60_000;
const VPA = 'investor@bank';

describe('UPI collect (FLOW-2)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const collect = (orders: readonly FakeOrder[], vpa = VPA) =>
    stage.create(orders, { upi: { type: 'collect', vpa } });
  const asked = async () => {
    const order = stage.neighbours.anOrder();
    const { id } = (await collect([order])).json<{ id: number }>();
    await stage.orderBecomes(order, 'submitted');
    await stage.until(id, () => stage.provider.collectedFrom.length === 1);
    return id;
  };
  const sent = async () => {
    const id = await asked();
    await stage.until(id, async () => (await stage.events(id)).length === 2);
    return id;
  };
  const paid = (id: number) =>
    stage.report({
      reference: paymentReference(id),
      fact: { about: 'payment', payment: capturedAs('late', '5000') },
    });

  it('echoes the VPA with an empty URI and no token_url, in the answer and in GET (CONV-19)', async () => {
    const answer = await collect([stage.neighbours.anOrder()]);
    const { id } = answer.json<{ id: number }>();
    expect([answer.status, answer.body]).toEqual([
      200,
      `{"id":${id},"token_url":null,"upi":{"type":"collect","vpa":"${VPA}","uri":""}}`,
    ]);
    const fetched = await stage.get(id);
    expect(fetched).toMatchObject({ method: 'UPI', upi: { type: 'collect', vpa: VPA, uri: '' } });
    expect(fetched).not.toHaveProperty('token_url');
  });

  it('is a 422 that names the policy when the operator has not enabled it (FLOW-4)', async () => {
    stage.neighbours.settings.upi_collect_enabled = false;
    const order = stage.neighbours.anOrder();
    const answer = await collect([order]);
    expect([answer.status, answer.body, order.claimed_by]).toEqual([
      422,
      expect.stringContaining('UPI_COLLECT_DISABLED'),
      null,
    ]);
    expect(answer.json<ErrorBody>().error.policy).toMatchObject({
      name: 'upi_collect',
      in_force_from: '2026-02-28',
      investor: { en: expect.stringContaining('QR code'), hi: expect.stringContaining('QR कोड') },
    });
  });

  it.each([
    ['2026-02-27T23:59:59.999+05:30', 200],
    ['2026-02-28T00:00:00.000+05:30', 422],
  ])('without the setting is at %s a %i (FLOW-4)', async (at, status) => {
    stage.neighbours.settings.upi_collect_enabled = false;
    stage.clock.set(at);
    expect((await collect([stage.neighbours.anOrder()])).status).toBe(status);
  });

  it.each<[object, string, number]>([
    [{}, '2026-02-27T23:59:59.999+05:30', 200],
    [{}, '2026-02-28T00:00:00.000+05:30', 422],
    [{ upi_collect: { exemption: 'mcc_6012' } }, '2026-02-28T00:00:00.000+05:30', 200],
    [{ upi_collect: { exemption: 'mcc_6211' } }, '2026-02-28T00:00:00.000+05:30', 200],
    [{ upi_collect: { exemption: 'ios_or_mobile_web' } }, '2026-02-28T00:00:00.000+05:30', 422],
  ])('with the setting and the choice %j is at %s a %i (FLOW-4)', async (policies, at, status) => {
    Object.assign(stage.neighbours.settings, { policies });
    stage.clock.set(at);
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X)' };
    const answer = await stage.create(
      [stage.neighbours.anOrder({ amount: '1' })],
      { upi: { type: 'collect', vpa: VPA } },
      headers,
    );
    expect(answer.status).toBe(status);
  });

  it('is judged at the call too: made before the ban, it fails after it, and no one is asked (FLOW-4)', async () => {
    Object.assign(stage.neighbours.settings, { policies: {} });
    stage.clock.set('2026-02-27T23:59:59.999+05:30');
    const order = stage.neighbours.anOrder();
    const { id } = (await collect([order])).json<{ id: number }>();
    stage.clock.advance(1);
    await stage.orderBecomes(order, 'submitted');
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_failed' });
    expect(stage.provider.collectedFrom).toEqual([]);
  });

  it('sends the request once when all orders are submitted, and publishes payment.updated (FLOW-7)', async () => {
    const orders = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    const { id } = (await collect(orders)).json<{ id: number }>();
    await stage.orderBecomes(orders[0]!, 'submitted');
    expect(stage.provider.collectedFrom).toEqual([]);
    await stage.orderBecomes(orders[1]!, 'submitted');
    await stage.until(id, async () => (await stage.events(id)).length === 2);
    expect(stage.provider.collectedFrom).toEqual([VPA]);
    expect(stage.provider.registered).toMatchObject([{ reference: paymentReference(id) }]);
    expect(await stage.events(id)).toEqual(['payment.pending', 'payment.updated']);
  });

  it('is sent immediately on a retry whose orders are all submitted (FLOW-7)', async () => {
    const { id } = (await collect([stage.neighbours.anOrder({ state: 'submitted' })])).json<{ id: number }>();
    await stage.until(id, async () => (await stage.events(id)).length === 2);
    expect(stage.provider.collectedFrom).toEqual([VPA]);
  });

  it('fails with invalid_upi_id when there is no such payer (FLOW-3)', async () => {
    stage.provider.onCollect.set({ kind: 'no', failure_code: 'invalid_upi_id', message: '' });
    const id = await asked();
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'invalid_upi_id' });
  });

  it('is resent with the same reference when there was no answer, and the payment waits', async () => {
    stage.provider.onCollect.set(SILENCE, yes(null));
    const id = await asked();
    expect((await stage.get(id)).status).toBe('PENDING');
    await stage.until(id, () => {
      stage.clock.advance(5_000);
      return stage.provider.collectedFrom.length === 2;
    });
    await stage.until(id, async () => (await stage.events(id)).length === 2);
    expect(new Set(stage.provider.registered.map((call) => call.reference)).size).toBe(1);
  });

  it('is resent when the provider does not know it', async () => {
    const id = await sent();
    stage.provider.onStatus.set(NOT_FOUND);
    await stage.pass(90_000);
    await stage.until(id, () => stage.provider.collectedFrom.length === 2);
    expect((await stage.get(id)).status).toBe('PENDING');
  });

  it('expires 5 minutes after it was sent, to the millisecond (TIME-3)', async () => {
    const id = await sent();
    await stage.pass(5 * MINUTE - 1);
    await stage.pass(0);
    expect((await stage.get(id)).status).toBe('PENDING');
    await stage.pass(1);
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_expired' });
  });

  it('refunds a success that comes after its time', async () => {
    const id = await sent();
    await stage.pass(5 * MINUTE);
    await stage.until(id, inStatus('FAILED'));
    await paid(id);
    expect(await stage.get(id)).toMatchObject({
      status: 'FAILED',
      late_auth: true,
      refund_reason: 'late_authorization',
      refund_status: 'CREATED',
    });
  });

  it('counts as paid when the callback arrives before our own call returned', async () => {
    stage.provider.onCollect.set(SILENCE);
    const id = await asked();
    await paid(id);
    await stage.until(id, inStatus('INITIATED'));
  });
});
