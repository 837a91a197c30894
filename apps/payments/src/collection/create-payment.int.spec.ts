import type { CreatedPaymentDto } from '@fundrail/contracts';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('creating a payment', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(() => stage.stop());
  beforeEach(() => {
    stage.neighbours.payoutBankAccount = 7;
    stage.neighbours.settings.default_postback_url = null;
  });

  const live = async (oldId: number) =>
    (
      await stage.rows<{ n: number }>(
        'SELECT count(*) AS n FROM payment_orders WHERE old_id = $1 AND live',
        oldId,
      )
    )[0]?.n;

  it('returns the id and an empty UPI object, and GET returns the payment with the sum of its orders (CONV-19, PAY-5, PAY-16, FLOW-1, PAY-11)', async () => {
    const orders = [
      stage.neighbours.anOrder({ amount: '1001' }),
      stage.neighbours.anOrder({ amount: '5000.50' }),
    ];
    const answer = await stage.create(orders);
    const { id } = answer.json<{ id: number }>();
    expect([answer.status, answer.body]).toEqual([
      200,
      `{"id":${id},"token_url":null,"upi":{"type":"uri","vpa":null,"uri":null}}`,
    ]);
    const fetched = await stage.send('GET', `/api/pg/payments/${id}`);
    expect(fetched.body).toContain('"amount":6001.5000');
    expect(fetched.json()).toMatchObject({
      status: 'PENDING',
      payment_type: 'NETBANKING',
      provider_name: 'GATEWAYPOA',
      from_bank_account_id: 7,
    });
    expect(await stage.events(id)).toEqual(['payment.pending']);
  });

  it('publishes payment.pending with exactly what GET returns (EVT-3, EVT-4)', async () => {
    const id = await stage.pay();
    const [row] = await stage.rows<{ data: string }>(
      'SELECT data FROM outbox WHERE aggregate_id = $1',
      String(id),
    );
    const fetched = await stage.send('GET', `/api/pg/payments/${id}`);
    expect(row?.data).toBe(`{"object":${fetched.body},"previous_attributes":null}`);
  });

  it('uses the payout bank account by default, and is a 400 when there is none (PAY-6)', async () => {
    const order = stage.neighbours.anOrder();
    stage.neighbours.payoutBankAccount = null;
    const refused = await stage.create([order], { bank_account_id: undefined });
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.stringContaining('"field":"bank_account_id"'),
    ]);
    expect(order.claimed_by).toBeNull();
    stage.neighbours.payoutBankAccount = 7;
    expect((await stage.create([order], { bank_account_id: undefined })).status).toBe(200);
  });

  it('uses the tenant’s default postback address, and is a 400 without one (PAY-7)', async () => {
    const order = stage.neighbours.anOrder();
    const without = { payment_postback_url: undefined, provider_name: 'GATEWAYPOA' };
    expect((await stage.create([order], without)).body).toContain('"field":"payment_postback_url"');
  });

  it.each([
    ['NETBANKING', 'GATEWAYPOA'],
    ['NETBANKING', undefined],
    ['UPI', 'GATEWAYPOA'],
    ['UPI', undefined],
    [undefined, 'GATEWAYPOA'],
  ])(
    'takes method %s without upi, and provider_name %s of the tenant, as the hosted page (PAY-10, FLOW-15)',
    async (method, provider_name) => {
      const answer = await stage.create([stage.neighbours.anOrder()], {
        method,
        upi: undefined,
        provider_name,
      });
      const { id, token_url, upi } = answer.json<CreatedPaymentDto>();
      expect([answer.status, upi]).toEqual([200, null]);
      expect(token_url).toContain('txnId=');
      const expected = { method: method ?? null, upi: null, provider_name: 'SDKVENDOR' };
      expect(await stage.get(id)).toMatchObject(expected);
    },
  );

  it('takes the order gateway for a page also from a tenant of another provider (PAY-10)', async () => {
    const { settings, tokens } = stage.neighbours;
    settings.payment_provider = 'SDKVENDOR';
    const order = stage.neighbours.anOrder({ tenant: 'other' });
    const asked = { method: 'NETBANKING', provider_name: 'GATEWAYPOA', bank_account_id: undefined };
    // Another tenant's settings are not in the cache yet.
    const answer = await stage.checkOut([order], asked, { authorization: tokens.header('other') });
    settings.payment_provider = 'GATEWAYPOA';
    const { id, token_url } = answer.json<CreatedPaymentDto>();
    expect(answer.status).toBe(200);
    expect(token_url).toContain('txnId=');
    expect(order.claimed_by).toBe(id);
  });

  it.each([
    [{ upi: { type: 'collect' } }, 'upi.vpa', 'is required when upi.type is collect'],
    [{ upi: { type: 'collect', vpa: 'bad' } }, 'upi.vpa', 'must be a UPI ID such as name@bank'],
    [{ bank_account_id: 999 }, 'bank_account_id', 'is not a bank account of an investor of this tenant'],
    [{ bank_account_id: 8 }, 'bank_account_id', 'is wrong'],
    [{ amc_order_ids: [424242] }, 'amc_order_ids.0', 'is wrong'],
    [{ colour: 'red' }, 'colour', 'is unknown'],
    [
      { payment_postback_url: 'http://app.example/' },
      'payment_postback_url',
      'must be https, or http to localhost',
    ],
  ])('refuses %j with a 400 that names %s (PAY-6, FLOW-3)', async (change, field, message) => {
    const order = stage.neighbours.anOrder();
    const answer = await stage.create([order], change);
    expect(answer.status).toBe(400);
    expect(answer.json<{ error: { errors: unknown } }>().error.errors).toEqual([{ field, message }]);
    expect([order.claimed_by, await live(order.old_id)]).toEqual([null, 0]);
  });

  it('creates one payment for a hundred concurrent requests, and the others are 409 (PAY-4)', async () => {
    const order = stage.neighbours.anOrder();
    const answers = await Promise.all(Array.from({ length: 100 }, () => stage.create([order])));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body.includes('PAYMENT_ALREADY_EXISTS'))).toHaveLength(99);
    expect(await live(order.old_id)).toBe(1);
  });

  it('sends claims that arrive together in one call', async () => {
    const orders = Array.from({ length: 50 }, () => stage.neighbours.anOrder());
    const before = stage.neighbours.claimCalls;
    const answers = await Promise.all(orders.map((order) => stage.create([order])));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(stage.neighbours.claimCalls - before).toBeLessThan(25);
  });

  it('writes creations that arrive together in few commits, each with its own rows', async () => {
    const orders = Array.from({ length: 40 }, () => stage.neighbours.anOrder());
    const answers = await Promise.all(orders.map((order) => stage.create([order])));
    const ids = answers.map((answer) => answer.json<{ id: number }>().id);
    const rows = await stage.rows<{
      id: number;
      old_id: number;
      written_in: string;
      kind: string;
      events: number;
    }>(
      `SELECT p.id, o.old_id, p.xmin::text AS written_in, due_work.kind,
         (SELECT count(*) FROM outbox WHERE aggregate_id = p.id::text) AS events
       FROM payments AS p JOIN payment_orders AS o ON o.payment_id = p.id JOIN due_work ON key = p.id::text
       WHERE p.id = ANY($1) ORDER BY array_position($1, p.id)`,
      ids,
    );
    expect(rows.map((row) => row.old_id)).toEqual(orders.map((order) => order.old_id));
    expect(new Set(rows.map((row) => `${row.kind} ${row.events}`))).toEqual(new Set(['payment.expire 1']));
    expect(new Set(rows.map((row) => row.written_in)).size).toBeLessThan(20);
  });

  it('refuses only the faulty one of creations that arrive together', async () => {
    const taken = await stage.create([stage.neighbours.anOrder()], { source_ref_id: 'taken' });
    expect(taken.status).toBe(200);
    const orders = Array.from({ length: 20 }, () => stage.neighbours.anOrder());
    const answers = await Promise.all(
      orders.map((order, index) =>
        stage.create([order], { source_ref_id: index === 7 ? 'taken' : `own-${index}` }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(
      orders.map((_, index) => (index === 7 ? 400 : 200)),
    );
    expect(orders[7]?.claimed_by).toBeNull();
  });

  it('refuses a source_ref_id that was used before, and releases the orders', async () => {
    const [first, second] = [stage.neighbours.anOrder(), stage.neighbours.anOrder()];
    expect((await stage.create([first], { source_ref_id: 'ref-1' })).status).toBe(200);
    const answer = await stage.create([second], { source_ref_id: 'ref-1' });
    expect(answer.json<{ error: { errors: unknown } }>().error.errors).toEqual([
      { field: 'source_ref_id', message: 'should be unique' },
    ]);
    expect(second.claimed_by).toBeNull();
    expect((await stage.create([second], { source_ref_id: 'ref-2' })).status).toBe(200);
  });

  it('repeats the answer of an Idempotency-Key byte for byte, and creates no second payment', async () => {
    const order = stage.neighbours.anOrder();
    const key = { 'idempotency-key': 'key-1' };
    const first = await stage.create([order], {}, key);
    const second = await stage.create([order], {}, key);
    expect([second.status, second.body, second.headers['idempotent-replayed']]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect(await live(order.old_id)).toBe(1);
  });
});
