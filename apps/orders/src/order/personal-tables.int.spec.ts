import { newId, type PersonErased, type PersonStanding } from '@fundrail/contracts';
import { noSuchObject, waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { ACCOUNT, CONTACTS } from '../testing/purchase.builder.ts';

const MARKED_IP = '203.0.113.77';

describe('the personal data of orders (INV-19)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => orders.stop());

  const person = {
    ...{ tenant: 'demo', investor_profile: newId('investorProfile'), bank_accounts: [] },
    mf_investment_accounts: [ACCOUNT],
  };
  const ask = async <T>(what: string, subjects: readonly string[], ids: object = person): Promise<T> =>
    (await orders.asService<T>('identity', `/internal/personal_data/${what}`, { ...ids, subjects })).body;

  it('stays while an order goes on, and is in no table afterwards; another person’s stays', async () => {
    const { id } = await orders.createPayable({ user_ip: MARKED_IP });
    const before = await ask<PersonStanding>('standing', []);
    expect(before).toMatchObject({ live: true, subjects: [`mf_purchase:${id}`] });
    expect(await ask('erasure', before.subjects)).toEqual({ erased: null });
    await orders.ask('POST', `/v2/mf_purchases/${id}/cancel`, { body: {} });
    await waitFor(async () => !(await ask<PersonStanding>('standing', before.subjects)).live, {
      what: 'the order to end and its events to be published',
    });
    const values = [MARKED_IP, CONTACTS.email, CONTACTS.mobile];
    expect(await orders.tablesWith(...values)).toEqual(['mf_orders', 'outbox']);
    const other = { ...person, mf_investment_accounts: [newId('investmentAccount')] };
    const none = await ask<PersonErased>('erasure', [], other);
    expect(none.erased?.filter(({ rows }) => rows > 0)).toEqual([]);
    expect(await orders.tablesWith(...values)).toEqual(['mf_orders', 'outbox']);

    const { erased } = await ask<PersonErased>('erasure', before.subjects);
    expect(erased?.find(({ table }) => table === 'mf_orders')).toEqual({ table: 'mf_orders', rows: 1 });
    expect(erased?.find(({ table }) => table === 'outbox')?.rows).toBeGreaterThan(2);
    expect(await orders.tablesWith(...values)).toEqual([]);
    const left = await orders.get(id);
    expect(left).toMatchObject({ id, state: 'cancelled', scheme: 'INF173K01FE6', user_ip: null });
    expect(left.consent).toMatchObject({ email: null, isd_code: null, mobile: null });
  });

  it('belongs to no new order 20 s after the investor is closed, although its account was known (INV-18)', async () => {
    await orders.create();
    const others = orders.neighbours;
    const [answerOf, now] = [others.request.bind(others), performance.now.bind(performance)];
    jest
      .spyOn(others, 'request')
      .mockImplementation((service, request) =>
        request.path.includes(ACCOUNT) ? Promise.resolve(noSuchObject()) : answerOf(service, request),
      );
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 20_000);
    const body = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000 };
    expect(await orders.refused('POST', '/v2/mf_purchases', { body })).toMatchObject({
      ...{ status: 400, body: { error: { errors: [{ field: 'mf_investment_account' }] } } },
    });
  });
});
