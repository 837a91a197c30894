import { WebhookReceiver } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import {
  createRedemption,
  ok,
  pendingRedemption,
  seedOf,
  untilOrder,
  type Order,
} from './testing/purchase.ts';

const URL = '/v2/mf_redemptions';

describeProducts('a redemption, on the wire', (start) => {
  let product: Product;
  let receiver: WebhookReceiver;
  let client: ApiClient;

  beforeAll(async () => {
    [product, receiver] = await Promise.all([start(), WebhookReceiver.start()]);
    client = await product.client();
    const webhook = { url: receiver.url, events: ['mf_redemption.*'] };
    receiver.secret = String(ok(await client.post('/v2/notification_webhooks', webhook)).body['secret']);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
  });

  const confirm = async ({ id }: Order, proof: object = {}) => {
    const consent = { ...(await seedOf(client)).consent, ...proof };
    return ok(await client.patch(URL, { id, consent, state: 'confirmed' })).body;
  };
  const fetched = async ({ id }: Order) => (await client.get(`${URL}/${id}`)).body;

  it('sends a signed webhook for each step, in order, with what GET answers, and the proof of its consent (ORD-32)', async () => {
    const order = await pendingRedemption(client);
    const at = (await fetched(order))['created_at'];
    const proof = { method: 'otp', channel: 'sms', sent_at: at, verified_at: at };
    const evidence = { ...proof, reference: 'otp-check-5521', verified_by: 'tenant' };
    expect(await confirm(order, { evidence })).toMatchObject({ state: 'confirmed', payment_id: null });
    await untilOrder(client, order, 'successful');
    const last = await receiver.next(
      ({ body }) => body.type === 'mf_redemption.successful' && body.data.object['id'] === order.id,
    );
    const about = receiver.received.filter(({ body }) => body.data.object['id'] === order.id);
    expect(about.map(({ body }) => body.type)).toEqual(
      ['created', 'review_completed', 'confirmed', 'submitted', 'successful'].map(
        (step) => `mf_redemption.${step}`,
      ),
    );
    expect(about.filter(({ verified }) => verified !== true)).toEqual([]);
    const { text, body } = await client.get(`${URL}/${order.oldId}`);
    expect(last.raw).toContain(`"object":${text}`);
    expect(body['consent']).toMatchObject({ evidence });
    expect(body).toMatchObject({
      type: 'amount',
      redeemed_amount: 5000,
      order_reference: expect.any(String),
    });
  });

  it.each([
    ['units', { units: 12.5 }, { redeemed_units: 12.5 }],
    ['all', {}, { redeemed_units: 100 }],
  ])('redeems by %s, and returns the amount', async (type, body, came) => {
    const order = await pendingRedemption(client, body);
    await confirm(order);
    await untilOrder(client, order, 'successful');
    expect(await fetched(order)).toMatchObject({ type, amount: null, ...came });
    expect((await fetched(order))['redeemed_price']).toBeGreaterThan(0);
  });

  it.each([
    ['2', 'review_rejected', { amount: 102 }],
    ['1', 'registrar_rejected', { amount: 1001 }],
  ])('fails when its last whole rupee is %s', async (_, failure_code, body) => {
    const order = await createRedemption(client, body);
    if (failure_code === 'registrar_rejected') {
      await untilOrder(client, order, 'pending');
      await confirm(order);
    }
    await untilOrder(client, order, 'failed');
    expect(await fetched(order)).toMatchObject({ failure_code });
  });

  it('takes a batch, and is reversed by its old_id', async () => {
    const { mf_investment_account } = await seedOf(client);
    const one = { mf_investment_account, scheme: 'INF209K01VD7', folio_number: '91012345678' };
    const taken = ok(await client.post(`${URL}/batch`, { mf_redemptions: [{ ...one, amount: 500 }, one] }));
    const [first] = (taken.body['data'] as { id: string; old_id: number }[]).map(({ id, old_id }): Order => ({
      id,
      oldId: old_id,
    }));
    if (!first) throw new Error('a batch of two came to less');
    await untilOrder(client, first, 'pending');
    await confirm(first);
    await untilOrder(client, first, 'successful');
    ok(await client.post(`/api/oms/simulate/orders/${first.oldId}`, { status: 'reversed' }));
    await untilOrder(client, first, 'reversed');
  });

  it('is cancelled before its confirmation, and refuses an unknown plan on its field', async () => {
    const order = await pendingRedemption(client);
    ok(await client.post(`${URL}/${order.id}/cancel`, {}));
    expect(await fetched(order)).toMatchObject({ state: 'cancelled' });
    const { status, body } = await client.post(URL, { plan: `mfrp_${'0'.repeat(32)}` });
    const errors = [{ field: 'plan', message: 'is not a redemption plan of this tenant' }];
    expect([status, body]).toMatchObject([400, { error: { code: 'BAD_REQUEST_ERROR', errors } }]);
  });
});
