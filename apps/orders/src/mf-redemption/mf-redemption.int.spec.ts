import type { MfRedemptionDto } from '@fundrail/contracts';
import { facts, STORIES } from '../testing/fake-order-gateway.ts';
import { OrdersUnderTest } from '../testing/orders-under-test.ts';
import { ACCOUNT, CONTACTS } from '../testing/purchase.builder.ts';

const URL = '/v2/mf_redemptions';
const VALID = {
  mf_investment_account: ACCOUNT,
  scheme: 'INF173K01FE6',
  folio_number: '123/45',
  amount: 5000,
};
type List = { data: MfRedemptionDto[] };

describe('redemption orders over HTTP', () => {
  let orders: OrdersUnderTest;
  beforeAll(async () => {
    orders = await OrdersUnderTest.start();
  });
  afterAll(() => orders.stop());

  const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) =>
    orders.ask<MfRedemptionDto>(method, url, body ? { body } : {});
  const confirmed = async (body?: object) => {
    const { id } = await orders.createPendingRedemption(body);
    return (await ask('PATCH', URL, { id, consent: CONTACTS, state: 'confirmed' })).body;
  };

  it.each([
    ['amount', { amount: 5000 }],
    ['units', { units: 12.3456 }],
    ['all', {}],
  ])(
    'goes from creation to success by %s, with consent and confirmation in one request (ORD-4, ORD-11, ORD-20)',
    async (type, body) => {
      const { id, old_id } = await orders.createPendingRedemption(body);
      const patched = await ask('PATCH', URL, { id, consent: CONTACTS, state: 'confirmed' });
      expect(patched).toMatchObject({ status: 200, body: { state: 'confirmed', consent: CONTACTS, type } });
      await orders.inState<MfRedemptionDto>(id, 'submitted');
      await orders.callback(id, 'successful');
      const done = await orders.inState<MfRedemptionDto>(id, 'successful');
      expect(done).toMatchObject({
        order_reference: 'REF1',
        traded_on: '2026-12-22',
        folio_number: '123/45',
      });
      expect(done.redeemed_price).toMatchObject({ source: '49.9975' });
      expect(done).toMatchObject({ payment_id: null, plan: null, installment_number: null });
      const steps = [
        'created',
        'review_completed',
        'consent_recorded',
        'confirmed',
        'submitted',
        'successful',
      ];
      expect(await orders.eventsOf(id)).toEqual(steps);
      const triggers = ['create', 'pass_review', 'record_consent', 'confirm', 'submit', 'succeed'];
      expect(await orders.historyOf(old_id)).toEqual(triggers);
    },
  );

  it('also accepts consent and confirmation in two requests (CONV-10)', async () => {
    const { id } = await orders.createPendingRedemption();
    const early = await orders.refused('PATCH', URL, { body: { id, state: 'confirmed' } });
    expect(early).toMatchObject({ status: 409, body: { error: { code: 'CONSENT_MISSING' } } });
    expect(await ask('PATCH', `${URL}/${id}`, { consent: CONTACTS })).toMatchObject({
      body: { state: 'pending' },
    });
    expect(await ask('PATCH', `${URL}/${id}`, { state: 'confirmed' })).toMatchObject({
      body: { state: 'confirmed' },
    });
  });

  it('takes its numbers from the sequence of the purchases (ORD-15)', async () => {
    const [before, redemption, after] = [
      await orders.create(),
      await orders.createRedemption(),
      await orders.create(),
    ];
    expect(before.old_id).toBeLessThan(redemption.old_id);
    expect(redemption.old_id).toBeLessThan(after.old_id);
    expect((await ask('GET', `${URL}/${redemption.old_id}`)).body.id).toBe(redemption.id);
    expect((await orders.refused('GET', `/v2/mf_purchases/${redemption.old_id}`)).status).toBe(404);
    expect((await orders.refused('GET', `${URL}/${before.old_id}`)).status).toBe(404);
  });

  describe('refuses with 400 (ORD-4, ORD-7, ORD-12)', () => {
    it.each([
      ['no folio', { folio_number: undefined }, 'folio_number'],
      ['amount and units', { units: 1 }, 'units'],
      ['units of nothing', { amount: undefined, units: 0 }, 'units'],
      ['a fifth decimal of units', { amount: undefined, units: 1.00001 }, 'units'],
      ['a third decimal of an amount', { amount: 1.001 }, 'amount'],
      ['an unknown account', { mf_investment_account: `mfia_${'9'.repeat(32)}` }, 'mf_investment_account'],
      ['a wrong check digit', { scheme: 'INF173K01FE7' }, 'scheme'],
      ['an unknown field', { colour: 'red' }, 'colour'],
      ['a date in the future', { scheduled_on: '2999-01-01' }, 'scheduled_on'],
      ['an account, a scheme and a folio beside a plan', { plan: `mfr_${'1'.repeat(32)}` }, 'plan'],
      ['no plan', { ...{ plan: 'mfr_1' }, ...undefinedOf(VALID) }, 'plan'],
      ['nothing at all', undefinedOf(VALID), 'folio_number'],
    ])('%s', async (_, changes, field) => {
      const answer = await orders.refused('POST', URL, { body: { ...VALID, ...changes } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST_ERROR' } } });
      expect(answer.body.error.errors.map((error) => error.field)).toContain(field);
    });

    it.each([
      ['no change', {}, 'state'],
      ['another state', { state: 'submitted' }, 'state'],
      ["another's consent", { consent: { email: 'x@example.com' }, state: 'confirmed' }, 'consent.email'],
    ])('%s', async (_, change, field) => {
      const { id } = await orders.createPendingRedemption();
      const answer = await orders.refused('PATCH', URL, { body: { id, ...change } });
      expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field }] } } });
      expect(await orders.get(id)).toMatchObject({ state: 'pending', consent: null });
    });

    it('a purchase among redemptions', async () => {
      const { id } = await orders.createPending();
      const answer = await orders.refused('PATCH', URL, { body: { id, state: 'confirmed' } });
      expect(answer).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'id' }] } } });
    });
  });

  it('shows another tenant nothing', async () => {
    const { id, old_id } = await orders.createPendingRedemption();
    for (const path of [id, old_id, `${id}/cancel`])
      expect(
        await orders.refused(String(path).endsWith('cancel') ? 'POST' : 'GET', `${URL}/${path}`, {
          tenant: 'other',
        }),
      ).toMatchObject({ status: 404 });
  });

  it('is cancelled while pending only', async () => {
    const { id } = await orders.createPendingRedemption();
    expect(await ask('POST', `${URL}/${id}/cancel`)).toMatchObject({ body: { state: 'cancelled' } });
    const { id: other } = await confirmed();
    const refused = await orders.refused('POST', `${URL}/${other}/cancel`);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
  });

  it.each([
    ['review_failed', 'kyc_incomplete'],
    ['failed', 'registrar_rejected'],
  ])('fails with the gateway’s reason: %s', async (story, failure_code) => {
    const { id } = story === 'failed' ? await confirmed() : await orders.createRedemption();
    if (story === 'failed') await orders.inState<MfRedemptionDto>(id, 'submitted');
    await orders.callback(id, story);
    expect(await orders.inState<MfRedemptionDto>(id, 'failed')).toMatchObject({ failure_code });
  });

  it('is refused at its submission, and reversed after its success', async () => {
    orders.gateway.onSubmit = () => ({ kind: 'no', failure_code: 'cut_off', message: 'too late' });
    const { id } = await confirmed();
    expect(await orders.inState<MfRedemptionDto>(id, 'failed')).toMatchObject({ failure_code: 'cut_off' });
    orders.gateway.onSubmit = () => ({ kind: 'yes', value: { order_reference: 'REF1' } });
    const { id: other } = await confirmed();
    await orders.inState<MfRedemptionDto>(other, 'submitted');
    await orders.callback(other, 'reversed');
    expect((await orders.inState<MfRedemptionDto>(other, 'reversed')).failure_code).toBe('cheque_bounced');
  });

  it('gets the state by asking when no callback came', async () => {
    const { id } = await orders.createRedemption();
    orders.gateway.known.set(id, STORIES['reviewed'] ?? facts());
    await orders.settled();
    orders.clock.advance(5_000);
    await orders.inState<MfRedemptionDto>(id, 'pending');
  });

  it('accepts no payment', async () => {
    const { id, old_id } = await orders.createPendingRedemption();
    await ask('PATCH', URL, { id, consent: CONTACTS });
    for (const more of [{}, { mandate_id: 7001 }])
      expect(await orders.claim(900, [old_id], more)).toMatchObject({
        outcome: 'refused',
        code: 'BAD_REQUEST_ERROR',
      });
  });

  it('records consent once, for any number of simultaneous requests', async () => {
    const { id } = await orders.createPendingRedemption();
    const body = { id, consent: CONTACTS };
    const answers = await Promise.all(Array.from({ length: 10 }, () => orders.ask('PATCH', URL, { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await orders.eventsOf(id)).toEqual(['created', 'review_completed', 'consent_recorded']);
  });

  it('is confirmed or cancelled, but not both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await orders.createPendingRedemption();
      const requests = [
        () => orders.ask('PATCH', URL, { body: { id, consent: CONTACTS, state: 'confirmed' } }),
        () => orders.ask('POST', `${URL}/${id}/cancel`),
      ];
      const answers = await Promise.all((round % 2 ? requests : requests.reverse()).map((send) => send()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [patched] = round % 2 ? answers : answers.toReversed();
      expect((await orders.get(id)).state === 'cancelled').toBe(patched?.status === 409);
    }
  });

  it('ends after seven business days without a confirmation, and never because of a missing payment', async () => {
    const { id } = await orders.createPendingRedemption();
    const { id: submitted } = await confirmed();
    await orders.inState<MfRedemptionDto>(submitted, 'submitted');
    orders.clock.set(new Date('2027-01-15T00:00:00+05:30'));
    expect(await orders.inState<MfRedemptionDto>(id, 'failed')).toMatchObject({
      failure_code: 'order_expiry',
    });
    await orders.settled();
    expect((await orders.get(submitted)).state).toBe('submitted');
  });

  describe('a batch', () => {
    it('is created as a whole, and confirmed as a whole', async () => {
      const { amount: _, ...all } = VALID;
      const body = { mf_redemptions: [VALID, all, { ...all, units: 3 }] };
      const taken = await orders.ask<List>('POST', `${URL}/batch`, { body });
      expect(taken.body.data.map(({ type }) => type)).toEqual(['amount', 'all', 'units']);
      const ids = taken.body.data.map(({ id }) => id);
      for (const id of ids) await orders.callback(id, 'reviewed');
      const changes = ids.map((id) => ({ id, consent: CONTACTS, state: 'confirmed' }));
      const changed = await orders.ask<List>('PATCH', `${URL}/batch`, { body: { mf_redemptions: changes } });
      expect(changed.body.data.map(({ id, state }) => [id, state])).toEqual(
        ids.map((id) => [id, 'confirmed']),
      );
    });

    it('is refused as a whole, with the field of the faulty order', async () => {
      const mf_redemptions = [
        { ...VALID, source_ref_id: 'first' },
        { ...VALID, folio_number: '' },
      ];
      const answer = await orders.refused('POST', `${URL}/batch`, { body: { mf_redemptions } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { errors: [{ field: 'mf_redemptions.1.folio_number' }] } },
      });
      const found = await orders.ask<List>('GET', `${URL}?source_ref_id=first`);
      expect(found.body.data).toEqual([]);
    });
  });

  it('is listed by its type (ORD-33)', async () => {
    const tenant = 'lister';
    for (const how of [{ amount: 5000 }, { units: 12.3456 }, { amount: undefined }])
      await orders.ask('POST', URL, { body: { ...VALID, amount: undefined, ...how }, tenant });
    for (const type of ['amount', 'units', 'all']) {
      const found = await orders.ask<List>('GET', `${URL}?type=${type}`, { tenant });
      expect(found.body.data.map((order) => order.type)).toEqual([type]);
    }
    expect((await orders.refused('GET', `${URL}?type=fresh`, { tenant })).status).toBe(400);
  });

  it('keeps source_ref_id unique among redemptions, and finds the first', async () => {
    const first = await orders.createRedemption({ source_ref_id: 'r-1' });
    await orders.create({ source_ref_id: 'r-1' });
    const again = await orders.refused('POST', URL, { body: { ...VALID, source_ref_id: 'r-1' } });
    expect(again).toMatchObject({ status: 400, body: { error: { errors: [{ field: 'source_ref_id' }] } } });
    const found = await orders.ask<List>('GET', `${URL}?source_ref_id=r-1`);
    expect(found.body.data.map(({ id }) => id)).toEqual([first.id]);
  });
});

/** Each field of a body as undefined. */
function undefinedOf(body: object): Record<string, undefined> {
  return Object.fromEntries(Object.keys(body).map((field) => [field, undefined]));
}
