import { InProcessTransport } from '@fundrail/standalone';
import { InProcessBus } from '@fundrail/messaging';
import { identityService } from '@fundrail/identity';
import { ordersService } from '@fundrail/orders';
import { paymentsService } from '@fundrail/payments';
import { bootstrap, Log, type RunningService, type ServiceDefinition } from '@fundrail/service-kit';
import { createTestDatabase, waitFor, type TestDatabase } from '@fundrail/testing';

interface Owner {
  readonly account: string;
  readonly profile: string;
}

const INSERT_PAYABLE = `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, state, type, amount, gateway,
    consent, created_at, review_completed_at, event_seq)
  SELECT n, 'mfp_' || lpad(to_hex(n), 32, '0'), 'demo', 'purchase', $2, $3, 'INF209K01YN0', 'pending', 'fresh', 5000, 'gatewaypoa',
    '{"email":"investor@example.com","isd_code":null,"mobile":null}', now(), now(), 3
  FROM (SELECT nextval('mf_orders_old_id_seq') AS n FROM generate_series(1, $1::int)) AS numbers RETURNING old_id`;

/** The real orders and payments, each on its own database, in one process: CLAIM-2 to CLAIM-10. */
describe('many payments over the same orders', () => {
  const databases: TestDatabase[] = [];
  const running = new Map<string, RunningService>();
  let owner: Owner;
  let token: string;

  beforeAll(async () => {
    const parts = [identityService, ordersService, paymentsService];
    const bus = new InProcessBus({ groups: parts.map(({ name }) => name) });
    const transport = new InProcessTransport();
    await Promise.all(parts.map((part) => start(part, bus, transport)));
    owner = await seededOwner();
    token = await tokenOfDemo();
  });

  afterAll(async () => {
    await Promise.all([...running.values()].map((service) => service.stop()));
    await Promise.all(databases.map((database) => database.drop()));
  });

  async function start(
    definition: ServiceDefinition,
    bus: InProcessBus,
    transport: InProcessTransport,
  ): Promise<void> {
    const database = await createTestDatabase(definition);
    databases.push(database);
    const env = {
      SANDBOX: 'true',
      PUBLIC_BASE_URL: 'http://127.0.0.1:1',
      GATEWAYPOA_BASE_URL: 'http://127.0.0.1:1',
      [`${definition.name.toUpperCase()}_DATABASE_URL`]: database.url,
    };
    const service = await bootstrap(definition, {
      env,
      bus,
      transport,
      listen: false,
      log: Log.to(definition.name, 'silent'),
    });
    running.set(definition.name, service);
    transport.add(definition.name, service.fastify);
  }

  const at = (name: string): RunningService => {
    const service = running.get(name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  };
  const rows = <T>(name: string, text: string, values: unknown[] = []) =>
    at(name).database.dataSource.query<T[]>(text, values);

  async function seededOwner(): Promise<Owner> {
    const [account] = await waitFor(async () => {
      const found = await rows<{ id: string; primary_investor: string }>(
        'identity',
        "SELECT id, primary_investor FROM mf_investment_accounts WHERE tenant = 'demo'",
      );
      return found.length > 0 ? found : null;
    });
    return { account: account!.id, profile: account!.primary_investor };
  }

  async function tokenOfDemo(): Promise<string> {
    const answer = await at('identity').fastify.inject({
      method: 'POST',
      url: '/v2/auth/demo/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
    });
    return `Bearer ${answer.json<{ access_token: string }>().access_token}`;
  }

  const payableOrders = async (count: number) =>
    (await rows<{ old_id: number }>('orders', INSERT_PAYABLE, [count, owner.account, owner.profile])).map(
      (row) => row.old_id,
    );

  const send = (method: 'POST' | 'PATCH' | 'GET', url: string, body?: object) =>
    at(url.startsWith('/v2') ? 'orders' : 'payments').fastify.inject({
      method,
      url,
      headers: { authorization: token },
      ...(body ? { payload: body } : {}),
    });

  const create = (ids: readonly number[]) =>
    send('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: ids,
      method: 'UPI',
      upi: { type: 'URI' },
      payment_postback_url: 'https://app.example/back',
    });

  const holders = async (ids: readonly number[]) => {
    const held = await rows<{ old_id: number; claimed_by: number | null }>(
      'orders',
      'SELECT old_id, claimed_by FROM mf_orders WHERE old_id = ANY($1)',
      [ids],
    );
    return new Map(held.map((row) => [row.old_id, row.claimed_by]));
  };

  it('a hundred simultaneous requests over one order create one payment (PAY-4)', async () => {
    const [order = 0] = await payableOrders(1);
    const answers = await Promise.all(Array.from({ length: 100 }, () => create([order])));
    const made = answers.filter((answer) => answer.statusCode === 200);
    expect(made).toHaveLength(1);
    expect(
      answers.filter((answer) => answer.statusCode === 409 && answer.body.includes('PAYMENT_ALREADY_EXISTS')),
    ).toHaveLength(99);
    expect((await holders([order])).get(order)).toBe(made[0]?.json<{ id: number }>().id);
  });

  it('a hundred simultaneous requests over overlapping sets claim whole sets, each order once', async () => {
    const orders = await payableOrders(12);
    const sets = Array.from({ length: 100 }, (_, index) =>
      [0, 1, 2].map((step) => orders[(index * 5 + step * (1 + (index % 3))) % 12] ?? 0),
    );
    // Half of them name their orders in reverse: the sets must not deadlock.
    const wanted = sets.map((set, index) =>
      index % 2 === 0 ? [...new Set(set)] : [...new Set(set)].reverse(),
    );
    const answers = await Promise.all(wanted.map((set) => create(set)));
    const held = await holders(orders);
    const made = answers.flatMap((answer, index) =>
      answer.statusCode === 200 ? [{ id: answer.json<{ id: number }>().id, set: wanted[index] ?? [] }] : [],
    );
    expect(made.length).toBeGreaterThan(0);
    for (const { id, set } of made) expect(set.map((order) => held.get(order))).toEqual(set.map(() => id));
    expect([...held.values()].filter((holder) => holder !== null)).toHaveLength(
      made.flatMap(({ set }) => set).length,
    );
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200, 409]));
  });

  it('a retry immediately after the failure is never refused because of the old claim (PAY-3)', async () => {
    const [order = 0] = await payableOrders(1);
    for (let round = 0; round < 5; round += 1) {
      const answer = await create([order]);
      expect([answer.statusCode, round]).toEqual([200, round]);
      const { id } = answer.json<{ id: number }>();
      expect((await send('POST', `/api/pg/payments/${id}/cancel`)).statusCode).toBe(200);
    }
  });

  it('frees the orders of a payment that failed (PAY-27)', async () => {
    const [order = 0] = await payableOrders(1);
    const { id } = (await create([order])).json<{ id: number }>();
    await send('POST', `/api/pg/payments/${id}/cancel`);
    await waitFor(async () => (await holders([order])).get(order) === null);
  });
});
