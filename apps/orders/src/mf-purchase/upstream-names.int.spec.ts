import { stringifyJson, toUpstream, type Compatibility, type MfPurchaseDto } from '@fundrail/contracts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { ACCOUNT, CONTACTS } from '../testing/purchase.builder.ts';

const URL = '/v2/mf_purchases';
const VALID = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000 };

describe('orders of a client of the upstream interface (COMP-2)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  const create = (gateway: string, compatibility: Compatibility, key?: string) =>
    orders.ask('POST', URL, {
      body: { ...VALID, gateway },
      compatibility,
      ...(key !== undefined && { key }),
    });

  it.each([
    ['ondc', 'upstream', 'cybrillapoa'],
    ['cybrillapoa', 'upstream/ondc', 'ondc'],
    ['rta', 'upstream/rta', 'rta'],
    ['gatewaypoa', 'upstream', 'cybrillapoa'],
  ] as const)('take gateway %s of %s and answer %s; behind the door it is ours', async (sent, as, shown) => {
    const created = await create(sent, as);
    expect([created.status, created.body.gateway]).toEqual([200, shown]);
    const { id } = created.body;
    const get = async (compatibility?: Compatibility) =>
      (await orders.ask('GET', `${URL}/${id}`, compatibility ? { compatibility } : {})).body;
    expect(await get(as)).toMatchObject({ id, gateway: shown });
    const ours = await get();
    expect(ours.gateway).toBe('gatewaypoa');
    expect(await get(as)).toEqual(toUpstream(ours, as));
    expect(stringifyJson(await get())).toBe(stringifyJson(ours));
    const listed = await orders.ask<{ data: MfPurchaseDto[] }>('GET', URL, { compatibility: as });
    expect(listed.body.data.map(({ gateway }) => gateway)).toContain(shown);
    expect(listed.body.data.map(({ gateway }) => gateway)).not.toContain('gatewaypoa');
    const events = await orders.rows<{ data: string }>('SELECT data FROM outbox WHERE aggregate_id = $1', id);
    for (const { data } of events) expect(data).toContain('"gateway":"gatewaypoa"');
  });

  it.each(['upstream', 'upstream/ondc', 'upstream/rta'] as const)(
    'are listed for %s by the types that its answers have (COMP-6)',
    async (compatibility) => {
      const tenant = compatibility.replace('/', '-');
      const body = { ...VALID, gateway: 'ondc' };
      const more = { ...body, folio_number: '12345678/01' };
      for (const one of [body, more]) await orders.ask('POST', URL, { body: one, compatibility, tenant });
      const typesOf = async (type: string) => {
        const asked = await orders.ask<{ data: { type: string }[] }>('GET', `${URL}?type=${type}`, {
          compatibility,
          tenant,
        });
        return asked.body.data.map((order) => order.type);
      };
      for (const type of ['purchase', 'additional_purchase']) expect(await typesOf(type)).toEqual([type]);
      expect(await typesOf('fresh')).toEqual(['purchase']);
      expect((await orders.refused('GET', `${URL}?type=purchase`, { tenant })).status).toBe(400);
    },
  );

  it('get the stored answer of an Idempotency-Key in their names again', async () => {
    const [first, again] = [
      await create('ondc', 'upstream/ondc', 'k'),
      await create('ondc', 'upstream/ondc', 'k'),
    ];
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.body.gateway).toBe('ondc');
  });

  it('may be confirmed before they are paid, and paid once they are submitted (COMP-7)', async () => {
    const { id, old_id } = await orders.createPayable();
    const confirmed = { body: { id, state: 'confirmed' } };
    expect((await orders.refused('PATCH', URL, confirmed)).body.error.code).toBe('PAYMENT_MISSING');
    const { status, body } = await orders.ask('PATCH', URL, {
      ...confirmed,
      compatibility: 'upstream',
    });
    expect([status, body.state, body.payment_id]).toEqual([200, 'confirmed', null]);
    await orders.inState(id, 'submitted');
    await orders.claim(700, [old_id]);
    await orders.callback(id, 'successful');
    expect(await orders.inState(id, 'successful')).toMatchObject({ payment_id: 700 });
  });

  it('may be confirmed by their id in the path and in a batch too, with and without a payment (COMP-7)', async () => {
    const [one, unpaid, paid] = [
      await orders.createPayable(),
      await orders.createPayable(),
      await orders.createPayable(),
    ];
    await orders.claim(701, [paid.old_id]);
    const state = 'confirmed';
    const asked = { body: { state }, compatibility: 'upstream' };
    expect((await orders.ask('PATCH', `${URL}/${one.id}`, asked)).status).toBe(200);
    const body = { mf_purchases: [unpaid, paid].map(({ id }) => ({ id, state })) };
    expect((await orders.ask('PATCH', `${URL}/batch`, { ...asked, body })).status).toBe(200);
    for (const { id } of [one, unpaid, paid]) await orders.inState(id, 'submitted');
  });

  it('need their consent first, as all others (COMP-7)', async () => {
    const { id } = await orders.createPending();
    const body = { id, state: 'confirmed' };
    const refused = await orders.refused('PATCH', URL, { body, compatibility: 'upstream' });
    const { error } = refused.body;
    expect([refused.status, error.status, error.code]).toEqual([400, 400, 'CONSENT_MISSING']);
  });

  it('are refused with 400 in place of 409, under an Idempotency-Key only until the step is legal (COMP-9)', async () => {
    const { id, old_id } = await orders.createPending();
    const body = { id, state: 'confirmed' };
    const asked = { body, compatibility: 'upstream', key: 'confirm' } as const;
    expect((await orders.refused('PATCH', URL, asked)).status).toBe(400);
    await orders.ask('PATCH', URL, { body: { id, consent: CONTACTS } });
    await orders.claim(702, [old_id]);
    expect((await orders.ask('PATCH', URL, asked)).body.state).toBe('confirmed');
  });

  it('are not taken from the clients of other tenants: a 400 as before', async () => {
    const { status, body } = await orders.refused('POST', URL, { body: { ...VALID, gateway: 'ondc' } });
    expect([status, body.error.errors.map(({ field }) => field)]).toEqual([400, ['gateway']]);
  });
});
