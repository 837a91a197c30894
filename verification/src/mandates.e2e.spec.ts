import { WebhookReceiver } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { approvedMandate, createdMandate, untilMandate } from './testing/mandate.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, untilOrder, untilPayment } from './testing/purchase.ts';

describeProducts('a mandate, from its authorisation to its cancellation', (start) => {
  let product: Product;
  let client: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
  });
  afterAll(() => product.stop());

  const created = (more?: object) => createdMandate(client, more);
  const authorised = (more?: object) => approvedMandate(client, more);
  const debit = (mandate_id: number, oldId: number): Promise<ApiAnswer> =>
    client.post('/api/pg/payments/nach', { mandate_id, amc_order_ids: [oldId] });
  const codeOf = ({ status, body }: ApiAnswer) => [status, (body['error'] as { code: string }).code];

  it('is authorised by URI, debited a day later, and refuses once it is cancelled', async () => {
    const mandate = await created();
    const authorisation = ok(
      await client.post('/api/pg/payments/emandate/auth', { mandate_id: mandate, upi: { type: 'uri' } }),
    );
    expect(authorisation.body['upi']).toMatchObject({
      uri: expect.stringMatching(/^upi:\/\/mandate\?.*txnType=CREATE/),
    });
    const again = await client.post('/api/pg/payments/emandate/auth', {
      mandate_id: mandate,
      upi: { type: 'uri' },
    });
    expect(codeOf(again)).toEqual([409, 'AUTH_IN_PROGRESS']);
    ok(await client.post(`/api/pg/simulate/mandates/${mandate}`, { status: 'APPROVED' }));
    await untilPayment(client, Number(authorisation.body['id']), 'SUCCESS');
    await untilMandate(client, mandate, 'APPROVED');

    const order = await payableOrder(client, 2500);
    const payment = Number(ok(await debit(mandate, order.oldId)).body['id']);
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPayment(client, payment, 'APPROVED');
    await untilOrder(client, order, 'successful');
    expect((await client.get(`/api/pg/payments/${payment}`)).body).toMatchObject({
      payment_type: 'NACH',
      mandate_id: mandate,
      amc_order_ids: [order.oldId],
    });

    const cancelled = ok(await client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
    expect(cancelled.body).toMatchObject({ mandate_status: 'CANCELLED', debits_in_flight: [] });
    const next = await payableOrder(client, 2500);
    expect(codeOf(await debit(mandate, next.oldId))).toEqual([409, 'MANDATE_NOT_APPROVED']);
  });

  it('fails a debit that is on its way when the mandate is cancelled, before the bank is asked', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 2500);
    const payment = Number(ok(await debit(mandate, order.oldId)).body['id']);
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    ok(await client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
    ok(await client.post('/sandbox/clock', { advance: 'P2D' }));
    await untilPayment(client, payment, 'FAILED');
    expect((await client.get(`/api/pg/payments/${payment}`)).body['failure_code']).toBe('mandate_cancelled');
  });

  it('is tried four times, each in another window, when the account is empty (SAND-4)', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 2503);
    const payment = Number(ok(await debit(mandate, order.oldId)).body['id']);
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    ok(await client.post('/sandbox/clock', { advance: 'P4D' }));
    await untilPayment(client, payment, 'FAILED');
    expect((await client.get(`/api/pg/payments/${payment}`)).body['failure_code']).toBe('insufficient_funds');
  });

  it('sends the client a signed webhook for each step, in order, with what GET answers', async () => {
    const receiver = await WebhookReceiver.start();
    const { body: hook } = ok(
      await client.post('/v2/notification_webhooks', { url: receiver.url, event: 'mandate.*' }),
    );
    receiver.secret = String(hook['secret']);
    const received = (mandate: number) =>
      receiver.received.filter(({ body }) => body.data.object['id'] === mandate);
    const untilReceived = (mandate: number, type: string) =>
      receiver.next(({ body }) => body.type === type && body.data.object['id'] === mandate, {
        limitMs: 60_000,
      });
    const atBank = async (mandate: number, status: string) =>
      ok(await client.post(`/api/pg/simulate/mandates/${mandate}`, { status }));
    const STARTED = ['mandate.created', 'mandate.approved'];

    const revoked = await authorised();
    for (const [status, type] of [
      ['PAUSED', 'mandate.paused'],
      ['ACTIVE', 'mandate.resumed'],
      ['CANCELLED', 'mandate.cancelled'],
    ] as const) {
      await atBank(revoked, status);
      await untilReceived(revoked, type);
    }
    const cancelled = await authorised();
    ok(await client.post(`/api/pg/mandates/${cancelled}/cancel`, {}));
    await untilReceived(cancelled, 'mandate.cancelled');
    const today = String(ok(await client.get('/sandbox/clock')).body['now']).slice(0, 10);
    const expiring = await authorised({ valid_to: today });
    ok(await client.post('/sandbox/clock', { advance: 'P1D' }));
    await untilReceived(expiring, 'mandate.expired');

    const types = (mandate: number) => received(mandate).map(({ body }) => body.type);
    expect(types(revoked)).toEqual([...STARTED, 'mandate.paused', 'mandate.resumed', 'mandate.cancelled']);
    expect(types(cancelled)).toEqual([...STARTED, 'mandate.cancelled']);
    expect(types(expiring)).toEqual([...STARTED, 'mandate.expired']);
    expect(receiver.received.every(({ verified }) => verified)).toBe(true);
    for (const mandate of [revoked, cancelled, expiring])
      expect(received(mandate).at(-1)?.body.data.object).toEqual(
        (await client.get(`/api/pg/mandates/${mandate}`)).body,
      );
    ok(await client.call('DELETE', `/v2/notification_webhooks/${String(hook['id'])}`));
    await receiver.stop();
  });

  it('refuses a debit above its limit', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 5000.01);
    expect(codeOf(await debit(mandate, order.oldId))).toEqual([422, 'MANDATE_LIMIT_EXCEEDED']);
  });
});
