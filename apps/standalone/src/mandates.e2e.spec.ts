import { waitFor } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, seedOf, untilOrder, untilPayment } from './testing/purchase.ts';

describeProducts('a mandate, from its authorisation to its cancellation', (start) => {
  let product: Product;
  let client: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
  });
  afterAll(() => product.stop());

  const created = async (): Promise<number> => {
    const { bank_account_id } = await seedOf(client);
    const body = { mandate_type: 'upi', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
    return Number(ok(await client.post('/api/pg/mandates', body)).body['id']);
  };
  const untilMandate = (id: number, wanted: string) =>
    waitFor(async () => (await client.get(`/api/pg/mandates/${id}`)).body['mandate_status'] === wanted, {
      limitMs: 15_000,
      what: `mandate ${id} to be ${wanted}`,
    });
  const authorised = async (): Promise<number> => {
    const mandate = await created();
    ok(await client.post('/api/pg/payments/emandate/auth', { mandate_id: mandate, upi: { type: 'uri' } }));
    ok(await client.post(`/api/pg/simulate/mandates/${mandate}`, { status: 'APPROVED' }));
    await untilMandate(mandate, 'APPROVED');
    return mandate;
  };
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
    await untilMandate(mandate, 'APPROVED');

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

  it('is tried four times in windows of their own when the account is empty', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 2503);
    const payment = Number(ok(await debit(mandate, order.oldId)).body['id']);
    ok(await client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' }));
    await untilOrder(client, order, 'submitted');
    ok(await client.post('/sandbox/clock', { advance: 'P4D' }));
    await untilPayment(client, payment, 'FAILED');
    expect((await client.get(`/api/pg/payments/${payment}`)).body['failure_code']).toBe('insufficient_funds');
  });

  it('refuses a debit above its limit', async () => {
    const mandate = await authorised();
    const order = await payableOrder(client, 5000.01);
    expect(codeOf(await debit(mandate, order.oldId))).toEqual([422, 'MANDATE_LIMIT_EXCEEDED']);
  });
});
