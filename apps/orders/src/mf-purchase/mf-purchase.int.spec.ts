import { tenantToken, waitFor } from '@fundrail/testing';
import { ACCOUNT, CONTACTS } from '../testing/purchase.builder.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const VALID = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000 };
const URL = '/v2/mf_purchases';

describe('purchases over HTTP', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  it('goes from creation to success, and publishes each step once (ORD-18, ORD-23, ORD-24, EVT-8)', async () => {
    const { id, old_id } = await orders.createPayable();
    await orders.claim(700, [old_id]);
    const confirmed = await orders.ask('PATCH', URL, { body: { id, state: 'confirmed' } });
    expect(confirmed).toMatchObject({ status: 200, body: { state: 'confirmed', payment_id: 700 } });
    await orders.inState(id, 'submitted');
    await orders.callback(id, 'successful');
    const done = await orders.inState(id, 'successful');
    expect(done).toMatchObject({
      order_reference: 'REF1',
      traded_on: '2026-12-22',
      folio_number: '91012345678',
    });
    const steps = ['created', 'review_completed', 'consent_recorded', 'confirmed', 'submitted', 'successful'];
    expect(await orders.eventsOf(id)).toEqual(steps);
    const triggers = ['create', 'pass_review', 'record_consent', 'confirm', 'submit', 'succeed'];
    expect(await orders.historyOf(old_id)).toEqual(triggers);
  });

  it('finds an order by either id (CONV-8, CONV-6)', async () => {
    const { id, old_id } = await orders.create();
    expect(await orders.get(old_id)).toEqual(await orders.get(id));
  });

  it('returns the amount with four decimals (CONV-27)', async () => {
    const { id } = await orders.create({ amount: 1001 });
    const headers = { authorization: tenantToken('demo', '', orders.clock.now()) };
    const response = await orders.running.fastify.inject({ url: `${URL}/${id}`, headers });
    expect(response.body).toContain('"amount":1001.0000');
  });

  describe('refuses with 400 and writes nothing (ORD-7)', () => {
    it.each([
      ['an unknown account', { mf_investment_account: `mfia_${'9'.repeat(32)}` }, 'mf_investment_account'],
      ['a wrong check digit', { scheme: 'INF173K01FE7' }, 'scheme'],
      ['a third decimal', { amount: 1.001 }, 'amount'],
      ['a negative amount', { amount: -1 }, 'amount'],
      ['an unknown field', { colour: 'red' }, 'colour'],
      ['a date in the future', { scheduled_on: '2999-01-01' }, 'scheduled_on'],
    ])('%s', async (_, changes, field) => {
      const source_ref_id = `refused-${field}`;
      const answer = await orders.refused('POST', URL, { body: { ...VALID, source_ref_id, ...changes } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_REQUEST_ERROR', errors: [{ field }] } },
      });
      const found = await orders.ask<{ data: unknown[] }>('GET', `${URL}?source_ref_id=${source_ref_id}`);
      expect(found.body.data).toEqual([]);
    });

    it('a source_ref_id that is taken, and the list finds the first (ORD-13)', async () => {
      const first = await orders.create({ source_ref_id: 'order-1' });
      const answer = await orders.refused('POST', URL, { body: { ...VALID, source_ref_id: 'order-1' } });
      const errors = [{ field: 'source_ref_id', message: 'should be unique' }];
      expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
      const found = await orders.ask<{ data: { id: string }[] }>('GET', `${URL}?source_ref_id=order-1`);
      expect(found.body.data.map((order) => order.id)).toEqual([first.id]);
    });

    it('except for the same source_ref_id of another tenant', async () => {
      const body = { ...VALID, source_ref_id: 'order-2' };
      await orders.create(body);
      expect((await orders.ask('POST', URL, { body, tenant: 'other' })).status).toBe(200);
    });

    it('consent and state together', async () => {
      const { id } = await orders.createPending();
      const answer = await orders.refused('PATCH', URL, {
        body: { id, consent: CONTACTS, state: 'confirmed' },
      });
      expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'state' }] } } });
    });

    it('an id in the body that is unknown or another tenant’s', async () => {
      const { id } = await orders.createPending();
      const answer = await orders.refused('PATCH', URL, {
        body: { id, state: 'confirmed' },
        tenant: 'other',
      });
      expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'id' }] } } });
    });

    it("consent that is not the account's", async () => {
      const { id } = await orders.createPending();
      const answer = await orders.refused('PATCH', `${URL}/${id}`, {
        body: { consent: { email: 'x@example.com' } },
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { errors: [{ field: 'consent.email' }] } },
      });
      expect((await orders.get(id)).consent).toBeNull();
    });
  });

  describe('refuses with 409', () => {
    it('what the state forbids, with both states in the error', async () => {
      const { id } = await orders.create();
      const answer = await orders.refused('PATCH', `${URL}/${id}`, { body: { state: 'confirmed' } });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
      expect(answer.body.error.message).toMatch(/under_review.*confirmed/);
    });

    it('consent outside pending', async () => {
      const { id } = await orders.create();
      const answer = await orders.refused('PATCH', URL, { body: { id, consent: CONTACTS } });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'ORDER_NOT_PENDING' } } });
    });

    it('a confirmation without consent, then without payment', async () => {
      const { id } = await orders.createPending();
      const without = await orders.refused('PATCH', URL, { body: { id, state: 'confirmed' } });
      expect(without.body.error.code).toBe('CONSENT_MISSING');
      await orders.ask('PATCH', URL, { body: { id, consent: CONTACTS } });
      const unpaid = await orders.refused('PATCH', URL, { body: { id, state: 'confirmed' } });
      expect(unpaid.body.error.code).toBe('PAYMENT_MISSING');
    });

    it('a cancellation while a payment holds the order; afterwards it is cancelled (ORD-21)', async () => {
      const { id, old_id } = await orders.createPayable();
      await orders.claim(701, [old_id]);
      const held = await orders.refused('POST', `${URL}/${id}/cancel`);
      expect(held).toMatchObject({ status: 409, body: { error: { code: 'PAYMENT_ALREADY_EXISTS' } } });
      await orders.internal('/internal/claims/release', { tenant: 'demo', payment_id: 701 });
      const cancelled = await orders.ask('POST', `${URL}/${old_id}/cancel`);
      expect(cancelled).toMatchObject({ status: 200, body: { state: 'cancelled', payment_id: 701 } });
    });
  });

  it('records consent once, for any number of simultaneous requests', async () => {
    const { id } = await orders.createPending();
    const patches = Array.from({ length: 10 }, (_, index) => {
      const consent = index % 2 === 0 ? { email: CONTACTS.email } : { mobile: CONTACTS.mobile };
      return orders.refused('PATCH', URL, { body: { id, consent } });
    });
    const answers = await Promise.all(patches);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const refusals = answers.filter((answer) => answer.status !== 200);
    expect(new Set(refusals.map((answer) => answer.body.error.code))).toEqual(
      new Set(['CONSENT_ALREADY_SET']),
    );
    expect(await orders.eventsOf(id)).toEqual(['created', 'review_completed', 'consent_recorded']);
  });

  it('confirms or cancels, but not both, when a release comes at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, old_id } = await orders.createPayable();
      await orders.claim(800 + round, [old_id]);
      const [, confirmed, cancelled] = await Promise.all([
        orders.internal('/internal/claims/release', { tenant: 'demo', payment_id: 800 + round }),
        orders.refused('PATCH', URL, { body: { id, state: 'confirmed' } }),
        orders.refused('POST', `${URL}/${id}/cancel`),
      ]);
      const { state } = await orders.get(id);
      expect([200, 409]).toContain(confirmed.status);
      expect(cancelled.status).toBe(state === 'cancelled' ? 200 : 409);
      expect(state === 'pending' || state === 'cancelled').toBe(confirmed.status === 409);
    }
  });

  describe('a batch', () => {
    it('is created as a whole, and changed as a whole (CONV-24)', async () => {
      const taken = await orders.ask<{ object: string; data: { id: string }[] }>('POST', `${URL}/batch`, {
        body: { mf_purchases: [VALID, { ...VALID, amount: 1 }] },
      });
      expect(taken).toMatchObject({
        status: 200,
        body: { object: 'list', data: [{ state: 'under_review' }, {}] },
      });
      const ids = taken.body.data.map((order) => order.id);
      for (const id of ids) await orders.callback(id, 'reviewed');
      const body = { mf_purchases: ids.map((id) => ({ id, consent: CONTACTS })) };
      const patched = await orders.ask<{ data: object[] }>('PATCH', `${URL}/batch`, { body });
      expect(patched.body.data).toMatchObject(ids.map((id) => ({ id, consent: CONTACTS })));
    });

    it('is refused as a whole when one of its orders is (CONV-24)', async () => {
      const body = {
        mf_purchases: [
          { ...VALID, source_ref_id: 'batch-1' },
          { ...VALID, source_ref_id: 'batch-1' },
        ],
      };
      const answer = await orders.refused('POST', `${URL}/batch`, { body });
      const errors = [{ field: 'mf_purchases.1.source_ref_id', message: 'should be unique' }];
      expect(answer).toMatchObject({ status: 400, body: { error: { errors } } });
      const found = await orders.ask<{ data: unknown[] }>('GET', `${URL}?source_ref_id=batch-1`);
      expect(found.body.data).toEqual([]);
    });

    it('changes nothing when one of its orders cannot be changed (CONV-24)', async () => {
      const ready = await orders.createPending();
      const early = await orders.create();
      const mf_purchases = [ready, early].map(({ id }) => ({ id, consent: CONTACTS }));
      const answer = await orders.refused('PATCH', `${URL}/batch`, { body: { mf_purchases } });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'ORDER_NOT_PENDING' } } });
      expect((await orders.get(ready.id)).consent).toBeNull();
    });
  });

  it('returns the same order for a repeated Idempotency-Key', async () => {
    const [first, second] = [
      await orders.ask('POST', URL, { body: VALID, key: 'key-1' }),
      await orders.ask('POST', URL, { body: VALID, key: 'key-1' }),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('lists newest first, page by page, by every filter (ORD-13, ORD-33)', async () => {
    const tenant = 'lister';
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await orders.ask('POST', URL, { body: VALID, tenant })).body.id);
    const list = async (query: string) => {
      const { body } = await orders.ask<{ data: { id: string }[] }>('GET', `${URL}?${query}`, { tenant });
      return body.data.map((order) => order.id);
    };
    expect(await list('')).toEqual(ids);
    expect(await list('limit=1')).toEqual(ids.slice(0, 1));
    expect(await list(`limit=1&starting_after=${ids[0]}`)).toEqual(ids.slice(1, 2));
    expect(await list('states=pending,under_review')).toEqual(ids);
    expect(await list('states=failed')).toEqual([]);
    expect(await list('direction=asc')).toEqual(ids.toReversed());
    expect(await list('direction=ASC')).toEqual(ids.toReversed());
    expect(await list(`direction=asc&limit=1&starting_after=${ids[2]}`)).toEqual(ids.slice(1, 2));
    expect(await list('direction=desc&type=fresh')).toEqual(ids);
    expect(await list('type=additional')).toEqual([]);
    for (const query of ['direction=up', 'type=all'])
      expect((await orders.refused('GET', `${URL}?${query}`, { tenant })).status).toBe(400);
    expect(await list(`mf_investment_account=${ACCOUNT}`)).toEqual(ids);
    expect(await list('plan=mfr_1')).toEqual([]);
    expect((await orders.refused('GET', `${URL}?colour=red`, { tenant })).status).toBe(400);
    expect(
      (await orders.refused('GET', `${URL}?starting_after=mfp_${'0'.repeat(32)}`, { tenant })).status,
    ).toBe(400);
  });

  it('shows another tenant nothing', async () => {
    const { id, old_id } = await orders.createPayable();
    const asked: ['GET' | 'PATCH' | 'POST', string, object?][] = [
      ['GET', `${URL}/${id}`],
      ['GET', `${URL}/${old_id}`],
      ['PATCH', `${URL}/${id}`, { state: 'confirmed' }],
      ['POST', `${URL}/${id}/cancel`],
    ];
    for (const [method, url, body] of asked) {
      const options = body ? { body, tenant: 'other' } : { tenant: 'other' };
      expect((await orders.refused(method, url, options)).status).toBe(404);
    }
    const list = await orders.ask<{ data: unknown[] }>('GET', `${URL}?source_ref_id=none`, {
      tenant: 'other',
    });
    expect(list.body.data).toEqual([]);
    expect((await orders.get(id)).state).toBe('pending');
  });

  it('publishes the events of an order in their order', async () => {
    const { id } = await orders.createPayable();
    await waitFor(async () => (await orders.running.relay?.lag())?.unpublished === 0);
    expect(await orders.eventsOf(id)).toEqual(['created', 'review_completed', 'consent_recorded']);
  });
});
