import { OrdersUnderTest } from '../testing/orders-under-test.ts';

const URL = '/v2/mf_purchases';
const COMPATIBILITY = { compatibility: 'upstream' };

describe('a failed purchase that is retried (ORD-34)', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  const failed = async (body: object = {}) => {
    const { id } = await orders.create(body);
    await orders.callback(id, 'review_failed');
    return orders.inState(id, 'failed');
  };
  const retry = (id: string | number, more: object = {}) => orders.ask('POST', `${URL}/${id}/retry`, more);
  const refused = async (id: string, more: object = {}) => {
    const { status, body } = await orders.refused('POST', `${URL}/${id}/retry`, more);
    return [status, body.error.code];
  };

  it('is a new purchase with the same fields, which goes its own way', async () => {
    const fields = { user_ip: '203.0.113.7', euin: 'E123456', partner: 'P', initiated_by: 'investor' };
    const before = await failed({ ...fields, folio_number: '123/45', source_ref_id: 'mine', amount: 1001.5 });
    const { status, body } = await retry(before.old_id);
    const same = { ...fields, scheme: before.scheme, folio_number: '123/45', type: 'additional' };
    expect([status, body]).toMatchObject([200, { ...same, state: 'under_review', source_ref_id: null }]);
    expect([body.amount, body.mf_investment_account]).toEqual([before.amount, before.mf_investment_account]);
    expect(body.id).not.toBe(before.id);
    expect([body.failure_code, body.failed_at, body.consent, body.payment_id]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    await orders.callback(body.id, 'reviewed');
    await orders.inState(body.id, 'pending');
    expect(await orders.get(before.id)).toEqual(before);
    expect(await orders.eventsOf(body.id)).toEqual(['created', 'review_completed']);
  });

  it('is retried once, also by two requests at the same time', async () => {
    const { id } = await failed();
    const answers = await Promise.all([retry(id), retry(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refused(id)).toEqual([409, 'ILLEGAL_TRANSITION']);
  });

  it('gets the same answer for the same Idempotency-Key', async () => {
    const { id } = await failed();
    const [first, again] = [await retry(id, { key: 'again' }), await retry(id, { key: 'again' })];
    expect(again.body).toEqual(first.body);
  });

  it('opens a folio of its own where the failed purchase would have', async () => {
    const { id } = await failed();
    expect((await retry(id)).body).toMatchObject({ type: 'fresh', folio_number: null });
  });

  it('is refused for a purchase that has not failed, and unknown to other tenants', async () => {
    const { id } = await orders.createPending();
    expect(await refused(id)).toEqual([409, 'ILLEGAL_TRANSITION']);
    const other = await failed();
    expect(await refused(other.id, { tenant: 'other' })).toEqual([404, 'NOT_FOUND']);
    expect(await refused('mfp_1')).toEqual([404, 'NOT_FOUND']);
  });

  it('shows server_ip and retried_at to clients of the upstream alone (COMP-6, ORD-31)', async () => {
    const before = await failed({ server_ip: '203.0.113.9' });
    const { body } = await retry(before.id, COMPATIBILITY);
    expect(body).toMatchObject({ server_ip: '203.0.113.9', retried_at: null });
    const shown = (await orders.ask('GET', `${URL}/${before.id}`, COMPATIBILITY)).body;
    expect(shown).toMatchObject({ server_ip: '203.0.113.9', retried_at: expect.stringMatching(/\+05:30$/) });
    const ours = await orders.get(before.id);
    expect(ours).not.toHaveProperty('server_ip');
    expect(ours).not.toHaveProperty('retried_at');
    const events = await orders.rows<{ data: string }>(
      'SELECT data FROM outbox WHERE aggregate_id = $1',
      body.id,
    );
    for (const { data } of events) expect(data).not.toContain('server_ip');
  });
});
