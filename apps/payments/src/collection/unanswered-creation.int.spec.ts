import type { FetchedPaymentDto } from '@fundrail/contracts';
import { setFaultHandler } from '@fundrail/testing';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { SILENCE } from '../testing/fake-provider.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';
import { CREATION_LIMIT_MS } from './collection.repository.ts';

const GIVEN_UP = { status: 'FAILED', failure_code: 'pg_server_error' };
type Created = { id: number; sdk_options?: object };

describe('a creation that needs the provider’s answer (PAY-12, PAY-13)', () => {
  let stage: PaymentsStage;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
    order = stage.neighbours.anOrder();
  });
  afterEach(() => stage.stop());

  const ask = (key?: string) => stage.checkOut([order], {}, key ? { 'idempotency-key': key } : {});
  const only = async () => {
    const [row] = await stage.rows<Created>('SELECT id FROM payments');
    return stage.get(row?.id ?? 0);
  };
  /** A request that is stopped after the provider's answer and before its record. */
  const held = async (key?: string) => {
    const fault = setFaultHandler('payments.checkout_answered');
    const answer = ask(key);
    await fault.reached;
    return { answer, fault, payment: await only() };
  };
  /** What a request that died leaves: the payment without its order, the key without its answer and no longer held. */
  const died = async (key: string) => {
    await ask(key);
    await stage.rows('UPDATE checkouts SET order_id = NULL');
    await endHold(key);
  };
  const endHold = (key: string) =>
    stage.rows(
      `UPDATE idempotency_keys SET status = NULL, body = NULL, held_until = now() - interval '1 s' WHERE key = $1`,
      key,
    );

  it('is given up a minute after its request died: the orders are released, and another payment can be created', async () => {
    const { payment, fault, answer } = await held();
    await stage.pass(CREATION_LIMIT_MS - 1);
    await stage.pass(0);
    expect([(await only()).status, order.claimed_by]).toEqual(['PENDING', payment.id]);
    await stage.pass(1);
    expect(await stage.until(payment.id, inStatus('FAILED'))).toMatchObject(GIVEN_UP);
    await stage.until(payment.id, () => order.claimed_by === null);
    expect((await stage.events(payment.id)).filter((type) => type === 'payment.failed')).toHaveLength(1);
    const next = await ask();
    expect([next.status, order.claimed_by]).toEqual([200, next.json<Created>().id]);
    fault.resume();
    expect((await answer).status).toBe(503);
    expect([(await stage.get(payment.id)).status, order.claimed_by]).toEqual([
      'FAILED',
      next.json<Created>().id,
    ]);
  });

  it('is a 503 when it was only slow and has been given up, with a key too, and the retry creates a payment', async () => {
    const { payment, fault, answer } = await held('slow');
    await stage.pass(CREATION_LIMIT_MS);
    await stage.until(payment.id, inStatus('FAILED'));
    fault.resume();
    expect((await answer).status).toBe(503);
    const again = await ask('slow');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(again.json<Created>().id).not.toBe(payment.id);
    expect(order.claimed_by).toBe(again.json<Created>().id);
  });

  it('is not given up once it was answered', async () => {
    const { id } = (await ask()).json<Created>();
    await stage.pass(CREATION_LIMIT_MS);
    await stage.pass(0);
    expect([(await stage.get(id)).status, order.claimed_by]).toEqual(['PENDING', id]);
  });

  it('is either answered or given up when both happen concurrently', async () => {
    for (let round = 0; round < 12; round += 1) {
      order = stage.neighbours.anOrder();
      const gate = Promise.withResolvers<void>();
      const asked = stage.checkout.orderRequests.length;
      stage.checkout.beforeOrder = () => gate.promise;
      const answer = ask(`race ${round}`);
      await stage.until(0, () => stage.checkout.orderRequests.length > asked);
      const [row] = await stage.rows<Created>('SELECT id FROM payments ORDER BY id DESC LIMIT 1');
      const id = row?.id ?? 0;
      const ended = stage.pass(CREATION_LIMIT_MS);
      gate.resolve();
      const { status, body } = await answer;
      await ended;
      await stage.pass(0);
      const after = await stage.until(id, () => status === 200 || order.claimed_by === null);
      const seen = [status, after.status, order.claimed_by];
      expect([
        [200, 'PENDING', id],
        [503, 'FAILED', null],
      ]).toContainEqual(seen);
      if (status === 200) expect((await ask(`race ${round}`)).body).toBe(body);
    }
  });

  it('does not show where to pay before it is answered', async () => {
    const { payment, fault, answer } = await held();
    const fetched = await stage.send('GET', `/api/pg/payments/${payment.id}`);
    expect(fetched.json<FetchedPaymentDto>()).not.toHaveProperty('token_url');
    fault.resume();
    expect((await answer).status).toBe(200);
    const after = (await stage.send('GET', `/api/pg/payments/${payment.id}`)).json<FetchedPaymentDto>();
    expect(after).toMatchObject({ token_url: expect.any(String), sdk_options: expect.anything() });
  });

  it('continues with the same payment when it died during the provider’s call and is retried in time (CLAIM-1)', async () => {
    await died('died');
    const [before] = await stage.rows<Created>('SELECT id FROM payments');
    const again = await ask('died');
    expect([again.status, again.json<Created>().id]).toEqual([200, before?.id]);
    expect(stage.checkout.orderRequests).toHaveLength(2);
    await stage.pass(CREATION_LIMIT_MS);
    await stage.pass(0);
    expect((await only()).status).toBe('PENDING');
  });

  it('creates a new payment when it died and is retried after it was given up', async () => {
    await died('died');
    const { id } = await only();
    await stage.pass(CREATION_LIMIT_MS);
    await stage.until(id, inStatus('FAILED'));
    expect((await ask('died')).status).toBe(503);
    expect(stage.checkout.orderRequests).toHaveLength(1);
    const again = await ask('died');
    expect([again.status, order.claimed_by]).toEqual([200, again.json<Created>().id]);
    expect(again.json<Created>().id).not.toBe(id);
  });

  it('is not failed by a slow request whose key was taken over and answered', async () => {
    const { payment, fault, answer } = await held('taken over');
    await endHold('taken over');
    const retried = await ask('taken over');
    expect([retried.status, retried.json<Created>().id]).toEqual([200, payment.id]);
    fault.resume();
    expect((await answer).status).toBe(409);
    expect([(await only()).status, order.claimed_by]).toEqual(['PENDING', payment.id]);
  });

  it('is not failed either when that slow request gets no answer', async () => {
    const gate = Promise.withResolvers<void>();
    stage.checkout.beforeOrder = () => gate.promise;
    stage.checkout.onOrder.set(null, SILENCE);
    const slow = ask('taken over');
    await stage.until(0, () => stage.checkout.orderRequests.length === 1);
    await endHold('taken over');
    stage.checkout.beforeOrder = () => Promise.resolve();
    expect((await ask('taken over')).status).toBe(200);
    gate.resolve();
    expect((await slow).status).toBe(503);
    expect((await only()).status).toBe('PENDING');
  });

  it('that fails before its record ends FAILED with its claim released, and the retry creates a payment', async () => {
    const { answer, fault } = await held('broken');
    fault.fail(new Error('broken'));
    expect([(await answer).status, order.claimed_by]).toEqual([500, null]);
    expect(await only()).toMatchObject(GIVEN_UP);
    expect((await ask('broken')).status).toBe(200);
  });

  it('that fails after its record is kept, and its retry returns what was recorded', async () => {
    const fault = setFaultHandler('payments.checkout_opened');
    const first = ask('broken');
    await fault.reached;
    fault.fail(new Error('broken'));
    expect((await first).status).toBe(500);
    const again = await ask('broken');
    const { id, status } = await only();
    expect([again.status, again.json<Created>().id, status]).toEqual([200, id, 'PENDING']);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});
