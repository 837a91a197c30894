import { Decimal, istTimestamp, type ErrorBody, type MfPurchasePlanDto } from '@fundrail/contracts';
import { jest } from '@jest/globals';
import { PASSED } from '../testing/fake-plan-gateway.ts';
import { aMandate, CONSENT, MANDATE } from '../testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from '../testing/plans-under-test.ts';
import { aPurchasePlanBody } from '../testing/purchase-plan.builder.ts';
import { PURCHASE_PLANS, PurchasesUnderTest } from '../testing/purchases-under-test.ts';

const [PENDING, STRANGER, WEAK] = [2001, 2002, 2003];
/** With amounts as numbers, which the stage keeps digit by digit. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as object;
const BY_HAND = { payment_method: undefined, payment_source: undefined };

describe('purchase plans over HTTP', () => {
  let purchases: PurchasesUnderTest;
  let stage: PlansUnderTest;
  beforeAll(async () => {
    purchases = await PurchasesUnderTest.start();
    ({ stage } = purchases);
    stage.neighbours.mandates
      .set(PENDING, aMandate({ id: PENDING, mandate_status: 'CREATED' }))
      .set(STRANGER, aMandate({ id: STRANGER, investor_profile: `invp_${'f'.repeat(32)}` }))
      .set(WEAK, aMandate({ id: WEAK, mandate_limit: Decimal.parse('1200') }));
  });
  afterEach(() => {
    stage.neighbours.settings.policies = {};
  });
  afterAll(() => stage.stop());

  const refused = async (body: object, path = '') => {
    const answer = await stage.refused('POST', `${PURCHASE_PLANS}${path}`, { body });
    return faultOf(answer);
  };
  const faultOf = ({ status, body }: { status: number; body: ErrorBody }) =>
    [status, body.error.code, ...body.error.errors.map(({ field }) => field)] as unknown[];
  const patch = (id: string, body: object) =>
    stage.ask<MfPurchasePlanDto>('PATCH', PURCHASE_PLANS, { body: { id, ...body } });
  const patchRefused = async (id: string, body: object) =>
    faultOf(await stage.refused('PATCH', PURCHASE_PLANS, { body: { id, ...body } }));
  const bad = (changes: object) => refused(aPurchasePlanBody(changes));

  it('become active under their consent, with their dates (SIP-2, SIP-10)', async () => {
    expect(plain(await purchases.createActive())).toMatchObject({
      ...{ object: 'mf_purchase_plan', state: 'active', start_date: '2027-01-06', end_date: '2027-12-06' },
      ...{ next_installment_date: '2027-01-06', remaining_installments: 12, payment_source: String(MANDATE) },
      next_installment_amount: 1000,
    });
    const dates = async (changes: object) => {
      const { start_date, next_installment_date } = await purchases.createActive(changes);
      return [start_date, next_installment_date];
    };
    expect(await dates({ installment_day: 5 })).toEqual(['2027-02-05', '2027-02-05']);
    expect(await dates({ installment_day: 5, ...BY_HAND })).toEqual(['2027-01-05', '2027-01-05']);
    expect(await dates({ installment_day: 10 })).toEqual(['2027-01-10', '2027-01-11']);
    const daily = { frequency: 'daily', installment_day: undefined, number_of_installments: 5 };
    expect(await purchases.createActive(daily)).toMatchObject({
      ...{ start_date: '2027-01-06', end_date: '2027-01-12', installment_day: null },
    });
  });

  it('show server_ip to clients of the upstream alone, in no event (COMP-6)', async () => {
    const ask = async (method: 'POST' | 'GET', url: string, more: object) =>
      (await stage.ask<MfPurchasePlanDto>(method, url, more)).body;
    const theirs = { compatibility: 'upstream' };
    const server_ip = '203.0.113.9';
    const made = await ask('POST', PURCHASE_PLANS, { ...theirs, body: aPurchasePlanBody({ server_ip }) });
    expect(made).toMatchObject({ server_ip });
    const of = `${PURCHASE_PLANS}/${made.id}`;
    expect(await ask('GET', of, theirs)).toMatchObject({ server_ip });
    const { body } = await stage.ask<{ data: object[] }>('GET', `${PURCHASE_PLANS}?limit=1`, theirs);
    expect(body.data).toMatchObject([{ id: made.id, server_ip }]);
    expect(await ask('GET', of, {})).not.toHaveProperty('server_ip');
    expect(
      await ask('POST', `${of}/cancel`, { ...theirs, body: { cancellation_code: 'invest_later' } }),
    ).toMatchObject({
      server_ip,
    });
    const events = await stage.rows<{ data: string }>(
      'SELECT data FROM outbox WHERE aggregate_id = $1',
      made.id,
    );
    for (const { data } of events) expect(data).not.toContain('server_ip');
  });

  it('are refused with the field (SIP-2 to SIP-4)', async () => {
    const invalid = (field: string) => [400, 'BAD_REQUEST_ERROR', field];
    expect(await bad({ installment_day: 29 })).toEqual(invalid('installment_day'));
    expect(await bad({ frequency: 'daily', installment_day: 1 })).toEqual(invalid('installment_day'));
    expect(await bad({ frequency: 'day_in_a_week', installment_day: 6 })).toEqual(invalid('installment_day'));
    expect(await bad({ installment_day: undefined })).toEqual(invalid('installment_day'));
    expect(await bad({ systematic: false })).toEqual(invalid('systematic'));
    expect(await bad({ frequency: 'calendar_day_daily' })).toEqual(invalid('frequency'));
    expect(await bad({ activate_after: '2027-02-01' })).toEqual(invalid('activate_after'));
    expect(await bad({ auto_generate_installments: false })).toEqual(invalid('auto_generate_installments'));
    expect(await bad({ number_of_installments: 362 })).toEqual(invalid('number_of_installments'));
    expect(await bad({ frequency: 'yearly', number_of_installments: 31 })).toEqual(
      invalid('number_of_installments'),
    );
    expect(await bad({ payment_method: undefined })).toEqual(invalid('payment_method'));
    const step = { type: 'amount', value: 500, frequency: 'half_yearly' };
    expect(await bad({ step_up: { ...step, max_amount: 1000 } })).toEqual(invalid('step_up.max_amount'));
    expect(await bad({ frequency: 'quarterly', step_up: step })).toEqual(invalid('step_up.frequency'));
  });

  it('check their mandate (SIP-7)', async () => {
    expect(await bad({ amount: 15_001 })).toEqual([422, 'MANDATE_LIMIT_EXCEEDED']);
    expect(await bad({ payment_source: PENDING })).toEqual([409, 'MANDATE_NOT_APPROVED']);
    expect(await bad({ payment_source: STRANGER })).toEqual([400, 'BAD_REQUEST_ERROR', 'payment_source']);
  });

  it('wait for their consent (SIP-9)', async () => {
    const { id } = await purchases.create({ consent: undefined });
    await stage.callback(id, PASSED);
    expect((await purchases.get(id)).state).toBe('review_completed');
    expect(await patchRefused(id, { state: 'confirmed' })).toEqual([409, 'CONSENT_MISSING']);
    const other = await patch(id, { payment_method: 'mandate', payment_source: WEAK });
    expect(other.body.payment_source).toBe(String(WEAK));
    const confirmed = await patch(id, { state: 'confirmed', consent: CONSENT });
    expect(confirmed.body).toMatchObject({ state: 'confirmed', consent: CONSENT });
    await stage.settled();
    expect(await stage.eventsOf(id)).toEqual([
      ...['created', 'review_completed', 'updated', 'confirmed', 'submitted', 'activated'],
    ]);
  });

  it('need the proof of their consents where so chosen, and are no withdrawals (SIP-28)', async () => {
    const { id } = await purchases.createActive();
    const at = istTimestamp(stage.clock.now());
    const proof = { method: 'otp', channel: 'email', sent_at: at, verified_at: at };
    const evidence = { ...proof, reference: 'otp-check-5521', verified_by: 'rta' };
    const consent = { ...CONSENT, evidence };
    stage.neighbours.settings.policies = {
      two_factor_consent: { evidence: 'required' },
      mandate_subscriptions_only: { mode: 'refuse' },
    };
    const missing = [422, 'TWO_FACTOR_MISSING'];
    expect(await bad({})).toEqual(missing);
    expect(await patchRefused(id, { amount: 2000, consent: CONSENT })).toEqual(missing);
    const before = '2020-01-01T10:00:00.000+05:30';
    const old = { ...CONSENT, evidence: { ...evidence, sent_at: before, verified_at: before } };
    const good = aPurchasePlanBody({ consent });
    const batch = { mf_purchase_plans: [good, aPurchasePlanBody({ consent: old })] };
    expect(await refused(batch, '/batch')).toContain('mf_purchase_plans.1.consent.evidence.verified_at');
    expect(plain((await patch(id, { amount: 2000, consent })).body)).toMatchObject({
      next_installment_amount: 2000,
    });
    expect((await purchases.create({ consent })).consent).toMatchObject({ evidence });
  });

  it('have references of their own, per kind and tenant (SIP-5)', async () => {
    const first = await purchases.create({ source_ref_id: 'ref-1' });
    expect(first.source_ref_id).toBe('ref-1');
    expect(await bad({ source_ref_id: 'ref-1' })).toEqual([400, 'BAD_REQUEST_ERROR', 'source_ref_id']);
    const redemption = await stage.create({ source_ref_id: 'ref-1' });
    const found = async (path: string, tenant = 'demo') => {
      const answer = await stage.ask<{ data: { id: string }[] }>('GET', `${path}?source_ref_id=ref-1`, {
        tenant,
      });
      return answer.body.data.map(({ id }) => id);
    };
    expect(await found(PURCHASE_PLANS)).toEqual([first.id]);
    expect(await found(PLANS)).toEqual([redemption.id]);
    expect(await found(PURCHASE_PLANS, 'other')).toEqual([]);
  });

  it('are not reached by the routes of the other kind, nor by another tenant', async () => {
    const { id, old_id } = await purchases.create();
    const { old_id: other } = await stage.create();
    const status = async (path: string, tenant = 'demo') => (await stage.ask('GET', path, { tenant })).status;
    expect(await status(`${PURCHASE_PLANS}/${old_id}`)).toBe(200);
    expect(await status(`${PURCHASE_PLANS}/${other}`)).toBe(404);
    expect(await status(`${PLANS}/${old_id}`)).toBe(404);
    expect(await status(`${PLANS}/${id}`)).toBe(404);
    expect(await status(`${PURCHASE_PLANS}/${id}`, 'other')).toBe(404);
  });

  it('are listed by their filters, newest first', async () => {
    const plans = [
      await purchases.create({ payment_source: WEAK }),
      await purchases.create({ payment_source: WEAK }),
    ];
    const ids = plans.map(({ id }) => id).reverse();
    const idsOf = async (query: string) => {
      const { body } = await stage.ask<{ data: { id: string }[] }>('GET', `${PURCHASE_PLANS}?${query}`);
      return body.data.map(({ id }) => id);
    };
    expect((await idsOf(`payment_source=${WEAK}`)).slice(0, 2)).toEqual(ids);
    expect(await idsOf(`payment_source=${WEAK}&limit=1&starting_after=${ids[0]}`)).toEqual([ids[1]]);
    expect((await idsOf('states=created')).slice(0, 2)).toEqual(ids);
  });

  it('come in batches, all or none (SIP-8)', async () => {
    const before = await stage.rows('SELECT FROM redemption_plans');
    const [good, wrong] = [aPurchasePlanBody(), aPurchasePlanBody({ amount: 0 })];
    const one = await stage.ask<{ data: MfPurchasePlanDto[] }>('POST', `${PURCHASE_PLANS}/batch`, {
      body: { mf_purchase_plans: [good, good] },
    });
    expect(plain(one.body)).toMatchObject({ data: [{ amount: 1000 }, { amount: 1000 }] });
    expect(await refused({ mf_purchase_plans: [good, wrong] }, '/batch')).toContain(
      'mf_purchase_plans.1.amount',
    );
    const stranger = aPurchasePlanBody({ payment_source: STRANGER });
    expect(await refused({ mf_purchase_plans: [good, stranger] }, '/batch')).toContain(
      'mf_purchase_plans.1.payment_source',
    );
    expect(await refused({ mf_purchase_plans: Array.from({ length: 11 }, () => good) }, '/batch')).toContain(
      'mf_purchase_plans',
    );
    expect(await stage.rows('SELECT FROM redemption_plans')).toHaveLength(before.length + 2);
  });

  it('change their amount and mandate under a consent, which the history keeps (SIP-9)', async () => {
    const { id } = await purchases.createActive();
    expect(await patchRefused(id, { amount: 2000 })).toEqual([400, 'BAD_REQUEST_ERROR', 'consent']);
    expect(await patchRefused(id, { amount: 20_000, consent: CONSENT })).toEqual([
      422,
      'MANDATE_LIMIT_EXCEEDED',
    ]);
    const foreign = { amount: 2000, consent: { email: 'other@example.com' } };
    expect(await patchRefused(id, foreign)).toEqual([400, 'BAD_REQUEST_ERROR', 'consent.email']);
    const { body } = await patch(id, { amount: 2000, consent: CONSENT });
    expect(plain(body)).toMatchObject({ next_installment_amount: 2000, consent: CONSENT });
    const weaker = { payment_method: 'mandate', payment_source: WEAK, consent: CONSENT };
    expect(await patchRefused(id, weaker)).toEqual([422, 'MANDATE_LIMIT_EXCEEDED']);
    const [kept] = await stage.rows<{ consent: object; terms: object }>(
      `SELECT consent, terms FROM redemption_plan_history WHERE plan_id = $1 AND trigger = 'change_amount'`,
      id,
    );
    expect(plain(kept)).toMatchObject({ consent: CONSENT, terms: { amount: 2000 } });
    expect((await stage.eventsOf(id)).at(-1)).toBe('updated');
  });

  it('are cancelled by both routes, and never by a code of the system', async () => {
    const [one, two] = [await purchases.createActive(), await purchases.createActive()];
    const asked = { cancellation_code: 'invest_later' };
    const byBody = await stage.ask('POST', `${PURCHASE_PLANS}/cancel`, { body: { id: one.id, ...asked } });
    const byPath = await stage.ask('POST', `${PURCHASE_PLANS}/${two.id}/cancel`, { body: asked });
    for (const { body } of [byBody, byPath])
      expect(body).toMatchObject({ state: 'cancelled', auto_cancelled: false, next_installment_date: null });
    expect(await refused({ id: one.id, ...asked }, '/cancel')).toEqual([409, 'ILLEGAL_TRANSITION']);
    const own = { id: two.id, cancellation_code: 'consecutive_failed_installment_limit_exceeded' };
    expect(await refused(own, '/cancel')).toEqual([400, 'BAD_REQUEST_ERROR', 'cancellation_code']);
  });

  it('are paused and resumed by installments (SIP-22, SIP-24)', async () => {
    const { id } = await purchases.createActive();
    expect(await refused({ installments: 3 }, `/${id}/pause`)).toEqual([
      400,
      'BAD_REQUEST_ERROR',
      'installments',
    ]);
    const rare = await purchases.createActive({ frequency: 'quarterly', installment_day: 15 });
    expect(await refused({ installments: 2 }, `/${rare.id}/pause`)).toContain('installments');
    const made = await stage.ask<{ id: string }>('POST', `${PURCHASE_PLANS}/${id}/pause`, {
      body: { installments: 2 },
    });
    expect(made.body).toMatchObject({
      ...{ object: 'skip_instruction', plan: id, state: 'active', from: '2027-01-06', to: '2027-02-08' },
      ...{ remaining_installments: 2, skipped_installments: 0 },
    });
    expect(await purchases.get(id)).toMatchObject({ state: 'active', paused_until: '2027-02-08' });
    expect(await refused({ installments: 1 }, `/${id}/pause`)).toEqual([409, 'ILLEGAL_TRANSITION']);
    const one = await stage.ask('GET', `${PURCHASE_PLANS}/skip_instructions/${made.body.id}`);
    expect(one.body).toEqual(made.body);
    const foreign = await stage.ask('POST', `${PLANS}/skip_instructions/${made.body.id}/cancel`);
    expect(foreign.status).toBe(404);
    const resumed = await stage.ask('POST', `${PURCHASE_PLANS}/${id}/resume`);
    expect(resumed.body).toMatchObject({ object: 'mf_purchase_plan', paused_until: null });
    expect(faultOf(await stage.refused('POST', `${PURCHASE_PLANS}/${id}/resume`))).toEqual([
      409,
      'ILLEGAL_TRANSITION',
    ]);
    expect((await stage.eventsOf(id)).slice(-2)).toEqual(['paused', 'resumed']);
  });

  it('are resumed by one lock and one statement for all their instructions, with an event for each (SIP-22)', async () => {
    const { id } = await purchases.createActive({ frequency: 'day_in_a_week', installment_day: 1 });
    const ids: string[] = [];
    for (const day of ['2027-01-11', '2027-01-25', '2027-02-08']) {
      const asked = { body: { from: day, to: day } };
      const made = await stage.ask<{ id: string }>(
        'POST',
        `${PURCHASE_PLANS}/${id}/skip_instructions`,
        asked,
      );
      ids.push(made.body.id);
    }
    const names: string[] = [];
    const { database } = stage.service;
    const real = database.transaction.bind(database);
    const noting = jest.spyOn(database, 'transaction').mockImplementation((work) =>
      real((tx) => {
        const query: typeof tx.query = (statement, values) => {
          names.push(statement.name);
          return tx.query(statement, values);
        };
        return work({
          now: tx.now,
          query,
          signal: (signal) => {
            tx.signal(signal);
          },
        });
      }),
    );
    await stage.ask('POST', `${PURCHASE_PLANS}/${id}/resume`);
    noting.mockRestore();
    const times = (name: string) => names.filter((one) => one === name).length;
    const [locks, updates] = [times('redemption_plans.lock'), times('skip_instructions.cancel')];
    expect([locks, updates, times('plan_courses.gather_skips')]).toEqual([1, 1, 1]);
    const kept = await stage.rows<{ id: string }>(
      'SELECT id FROM skip_instructions WHERE plan_id = $1 AND cancelled_at IS NOT NULL ORDER BY id',
      id,
    );
    expect(kept.map((one) => one.id)).toEqual(ids);
    const resumed = ['resumed', 'resumed', 'resumed'];
    expect((await stage.eventsOf(id)).slice(-6)).toEqual(['paused', 'paused', 'paused', ...resumed]);
    expect(await purchases.get(id)).toMatchObject({ paused_until: null });
  });

  it('skip a range of dates that can still be skipped (SIP-23)', async () => {
    const { id } = await purchases.createActive();
    const skip = (body: object, of = id) => refused(body, `/${of}/skip_instructions`);
    expect(await skip({ from: '2027-01-05', to: '2027-01-06' })).toContain('from');
    expect(await skip({ from: '2027-01-06' })).toContain('to');
    expect(await skip({ from: '2027-01-06', to: '2027-03-08' })).toContain('to');
    expect(await skip({ from: '2027-01-07', to: '2027-01-08' })).toContain('from');
    const byHand = await purchases.createActive({ installment_day: 5, ...BY_HAND });
    expect(await skip({ from: '2027-01-04', to: '2027-01-05' }, byHand.id)).toContain('from');
    const taken = await stage.ask('POST', `${PURCHASE_PLANS}/${byHand.id}/skip_instructions`, {
      body: { from: '2027-01-05', to: '2027-01-05' },
    });
    expect(taken.status).toBe(200);
  });
});

it('without PURCHASE_PLANS the routes are not there (SIP-1)', async () => {
  const stage = await PlansUnderTest.start();
  const answers = [
    await stage.ask('POST', PURCHASE_PLANS, { body: aPurchasePlanBody() }),
    await stage.ask('GET', PURCHASE_PLANS),
    await stage.ask('POST', `${PURCHASE_PLANS}/1001/resume`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  await stage.stop();
});
