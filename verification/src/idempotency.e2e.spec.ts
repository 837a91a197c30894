import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, payableOrder, requestPayment, seedOf } from './testing/purchase.ts';

const AT_ONCE = 50;
/** The first request is still running; or, with separate services, another service did not answer in time. */
const TRY_AGAIN = new Set<string | undefined>(['IDEMPOTENCY_KEY_IN_USE', 'SERVICE_UNAVAILABLE']);
const PAYMENTS = '/api/pg/payments/netbanking';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: object;
}

describeProducts('Idempotency-Key through the edge (IDEM-1 to IDEM-9)', (start) => {
  let product: Product;
  let client: ApiClient;
  let purchase: object;
  let keys = 0;

  beforeAll(async () => {
    product = await start({ orders: 2, payments: 2 });
    client = await product.client();
    const { mf_investment_account } = await seedOf(client);
    purchase = { mf_investment_account, scheme: 'INF209K01VD7', amount: 5000 };
  });
  afterAll(() => product.stop());

  const newKey = () => `key-${(keys += 1)}`;
  const send = ({ method, path, body }: Request, key: string, as = client) =>
    as.call(method, path, body, { 'idempotency-key': key });
  const codeOf = ({ body }: ApiAnswer) => (body['error'] as { code: string } | undefined)?.code;
  const isReplay = ({ headers }: ApiAnswer) => headers.get('idempotent-replayed') === 'true';
  const orderCount = async () => ((await client.get('/v2/mf_purchases')).body['data'] as unknown[]).length;
  const paymentCount = async () => Number((await client.get('/api/pg/payments')).body['total_elements']);

  const createPurchase = (): Promise<Request> =>
    Promise.resolve({ method: 'POST', path: '/v2/mf_purchases', body: purchase });
  const createBatch = (): Promise<Request> =>
    Promise.resolve({
      method: 'POST',
      path: '/v2/mf_purchases/batch',
      body: { mf_purchases: [purchase, purchase] },
    });
  const createPayment = async (): Promise<Request> => {
    const { oldId } = await payableOrder(client);
    const body = {
      amc_order_ids: [oldId],
      method: 'UPI',
      upi: { type: 'URI' },
      payment_postback_url: 'http://localhost:8080/done',
    };
    return { method: 'POST', path: PAYMENTS, body };
  };

  it.each([
    ['a purchase', createPurchase, orderCount, 1],
    ['a batch of two', createBatch, orderCount, 2],
    ['a payment', createPayment, paymentCount, 1],
  ])(`creates %s once from ${AT_ONCE} simultaneous requests`, async (_what, requestOf, count, made) => {
    // given
    const request = await requestOf();
    const before = await count();
    const key = newKey();
    // when
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(request, key)));
    // then
    const successes = answers.filter(({ status }) => status === 200);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set(successes.map(({ text }) => text)).size).toBe(1);
    expect(successes.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(others.map(codeOf).filter((code) => !TRY_AGAIN.has(code))).toEqual([]);
    expect(others.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    expect(await count()).toBe(before + made);
    // and: the same again, byte for byte
    const again = await send(request, key);
    expect([again.text, isReplay(again)]).toEqual([successes[0]?.text, true]);
  });

  it('changes an order once, and repeats the answer of the PATCH', async () => {
    const order = await payableOrder(client);
    const payment = ok(await requestPayment(client, [order]));
    const key = newKey();
    const confirm = { method: 'PATCH', path: '/v2/mf_purchases', body: { id: order.id, state: 'confirmed' } };
    const first = ok(await send(confirm, key));
    const again = await send(confirm, key);
    expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, true]);
    expect(codeOf(await client.patch(confirm.path, confirm.body))).toBe('ILLEGAL_TRANSITION');
    expect(payment.status).toBe(200);
  });

  it.each([
    ['body', () => ({ body: { ...purchase, amount: 1 } })],
    ['path', () => ({ path: '/v2/mf_purchases/batch' })],
    ['query', () => ({ path: '/v2/mf_purchases?x=1' })],
    ['method', () => ({ method: 'PATCH' })],
  ])('is a 422 with another %s', async (_what, change) => {
    const [request, key] = [await createPurchase(), newKey()];
    ok(await send(request, key));
    const other = await send({ ...request, ...change() }, key);
    expect([other.status, codeOf(other)]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it.each([
    [400, () => ({ method: 'POST', path: '/v2/mf_purchases', body: { ...purchase, amount: -1 } })],
    [404, () => ({ method: 'POST', path: '/v2/mf_purchases/mfp_missing/cancel', body: {} })],
  ])('answers a %s again', async (status, requestOf) => {
    const [request, key] = [requestOf(), newKey()];
    const first = await send(request, key);
    const again = await send(request, key);
    expect([first.status, isReplay(first)]).toEqual([status, false]);
    expect([again.status, again.text, isReplay(again)]).toEqual([status, first.text, true]);
  });

  it('does not keep a 409: once the conflict is gone, the same key succeeds', async () => {
    const order = await payableOrder(client);
    const [key, body] = [newKey(), { id: order.id, state: 'confirmed' }];
    const confirm = { method: 'PATCH', path: '/v2/mf_purchases', body };
    expect(codeOf(await send(confirm, key))).toBe('PAYMENT_MISSING');
    ok(await requestPayment(client, [order]));
    const through = await send(confirm, key);
    expect([through.status, isReplay(through)]).toEqual([200, false]);
  });

  it('does not keep a 401 or a 403', async () => {
    const request = await createPurchase();
    const key = newKey();
    const refused = await Promise.all(
      [{ authorization: 'Bearer invalid' }, { 'x-tenant-id': 'other' }].map((headers) =>
        client.call(request.method, request.path, request.body, { 'idempotency-key': key, ...headers }),
      ),
    );
    expect(refused.map(({ status }) => status)).toEqual([401, 403]);
    const through = await send(request, key);
    expect([through.status, isReplay(through)]).toEqual([200, false]);
  });

  it('finds the first order by its source_ref_id, and refuses a second (CONV-9)', async () => {
    const request = await createPurchase();
    const body = { ...request.body, source_ref_id: 'mine' };
    const first = ok(await client.post(request.path, body));
    const second = await client.post(request.path, body);
    expect(second.body['error']).toMatchObject({
      status: 400,
      errors: [{ field: 'source_ref_id', message: 'should be unique' }],
    });
    const found = (await client.get('/v2/mf_purchases?source_ref_id=mine')).body['data'];
    expect(found).toMatchObject([{ id: first.body['id'] }]);
  });
});
