import { waitFor } from '@fundrail/testing';
import { ApiClient, type ApiAnswer } from './testing/api-client.ts';
import { approvedMandate, createdMandate } from './testing/mandate.ts';
import { clockTo } from './testing/plan.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, seedOf } from './testing/purchase.ts';

const PLANS = '/v2/mf_purchase_plans';
const BY_HAND = { payment_method: undefined, payment_source: undefined };

describeProducts('the terms of purchase plans, on Monday, 4 January 2027', (start) => {
  let product: Product;
  let client: ApiClient;
  /** Monthly, on the 6th, ₹1000, 12 times, by a mandate of ₹15,000, with the investor's consent. */
  let base: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
    await clockTo(client, '2027-01-04', '10:00');
    const { mf_investment_account, consent } = await seedOf(client);
    base = {
      ...{ mf_investment_account, consent, scheme: 'INF209K01VD7', amount: 1000, systematic: true },
      ...{ frequency: 'monthly', installment_day: 6, number_of_installments: 12, payment_method: 'mandate' },
      payment_source: String(await approvedMandate(client, { mandate_limit: 15_000 })),
    };
  });
  afterAll(() => product.stop());

  const create = (more: object = {}) => client.post(PLANS, { ...base, ...more });
  const planOf = async (id: string) => ok(await client.get(`${PLANS}/${id}`)).body;
  const untilState = (id: string, state: string) =>
    waitFor(
      async () => {
        const plan = await planOf(id);
        return plan['state'] === state && plan;
      },
      { what: `plan ${id} to be ${state}` },
    );
  const active = async (more: object) => untilState(String(ok(await create(more)).body['id']), 'active');
  /** Status, code, and the fields that the error names. */
  const faultOf = ({ status, body }: ApiAnswer) => {
    const { code, errors } = body['error'] as { code: string; errors: { field: string }[] };
    return [status, code, ...errors.map(({ field }) => field)];
  };
  const invalid = (...fields: readonly string[]) => [400, 'BAD_REQUEST_ERROR', ...fields];
  const refused = async (more: object) => faultOf(await create(more));
  const countPlans = async () => (ok(await client.get(PLANS)).body['data'] as unknown[]).length;

  it('are those of an active plan soon after its creation (check 1, SIP-2, SIP-10)', async () => {
    const created = await create();
    expect(created.status).toBe(200);
    const plan = await untilState(String(created.body['id']), 'active');
    expect(plan).toMatchObject({
      id: expect.stringMatching(/^mfpp_/) as unknown,
      ...{ start_date: '2027-01-06', end_date: '2027-12-06', remaining_installments: 12 },
      next_installment_date: '2027-01-06',
    });
  });

  it.each<[string, object, object]>([
    [
      'check 2, by mandate, tomorrow is too early',
      { installment_day: 5 },
      { next_installment_date: '2027-02-05' },
    ],
    [
      'check 2, without a mandate, tomorrow is not',
      { installment_day: 5, ...BY_HAND },
      { next_installment_date: '2027-01-05' },
    ],
    [
      'check 3, a Sunday moves to the Monday',
      { installment_day: 10 },
      { start_date: '2027-01-10', next_installment_date: '2027-01-11' },
    ],
    [
      'check 4, daily',
      { frequency: 'daily', installment_day: undefined },
      { next_installment_date: '2027-01-06' },
    ],
    [
      'check 5, weekly',
      { frequency: 'day_in_a_week', installment_day: 1 },
      { next_installment_date: '2027-01-11' },
    ],
    [
      'check 5, fortnightly',
      { frequency: 'day_in_a_fortnight', installment_day: 3 },
      { next_installment_date: '2027-01-06' },
    ],
    [
      'check 6, quarterly',
      { frequency: 'quarterly', installment_day: 15 },
      { next_installment_date: '2027-01-15' },
    ],
  ])('give the first date: %s (SIP-10)', async (_, more, dates) => {
    expect(await active(more)).toMatchObject(dates);
  });

  it.each<[string, object, string]>([
    ['installment_day', { installment_day: 29 }, 'check 3'],
    ['installment_day', { frequency: 'daily', installment_day: 1 }, 'check 4'],
    ['systematic', { systematic: false }, 'check 7'],
    ['frequency', { frequency: 'calendar_day_daily' }, 'check 7'],
    ['activate_after', { activate_after: '2027-02-01' }, 'check 7'],
    ['payment_method', { payment_method: undefined }, 'check 8'],
  ])('are refused with the field %s: %j (%s, SIP-2 to SIP-4, SIP-7)', async (field, more) => {
    expect(await refused(more)).toEqual(invalid(field));
  });

  it('need an approved mandate of the investor, up to its limit (check 8, SIP-7)', async () => {
    expect(await refused({ amount: 15_001 })).toEqual([422, 'MANDATE_LIMIT_EXCEEDED']);
    const waiting = String(await createdMandate(client));
    expect(await refused({ payment_source: waiting })).toEqual([409, 'MANDATE_NOT_APPROVED']);
    const stranger = String(await approvedMandate(client, { bank_account_id: await otherBankAccount() }));
    expect(await refused({ payment_source: stranger })).toEqual(invalid('payment_source'));
  });

  it('wait for the consent (check 9, SIP-9)', async () => {
    const id = String(ok(await create({ consent: undefined })).body['id']);
    await untilState(id, 'review_completed');
    const body = { id, state: 'confirmed' };
    expect(faultOf(await client.patch(PLANS, body))).toEqual([409, 'CONSENT_MISSING']);
    ok(await client.patch(PLANS, { ...body, consent: base['consent'] }));
    await untilState(id, 'active');
  });

  it('are stored once for a key and for a reference, and found by their tenant alone (check 10, SIP-5)', async () => {
    const body = { ...base, source_ref_id: 'sip-1' };
    const send = () => client.call('POST', PLANS, body, { 'idempotency-key': 'sip-1' });
    const [first, second] = [ok(await send()), ok(await send())];
    expect(second.body['id']).toBe(first.body['id']);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await refused({ source_ref_id: 'sip-1' })).toEqual(invalid('source_ref_id'));
    const stranger = await otherTenant();
    expect((await stranger.get(`${PLANS}/${String(first.body['id'])}`)).status).toBe(404);
  });

  it('come in batches, all or none (check 11, SIP-8)', async () => {
    const before = await countPlans();
    const batch = (...plans: object[]) => client.post(`${PLANS}/batch`, { mf_purchase_plans: plans });
    expect(ok(await batch(base, base)).body['data']).toHaveLength(2);
    const wrong = await batch(base, { ...base, installment_day: 29 });
    expect(faultOf(wrong)).toEqual(invalid('mf_purchase_plans.1.installment_day'));
    const tooMany = await batch(...Array.from({ length: 11 }, () => base));
    expect(faultOf(tooMany)).toEqual(invalid('mf_purchase_plans'));
    expect(await countPlans()).toBe(before + 2);
  });

  async function otherBankAccount(): Promise<number> {
    const investor = { name: 'Meera Nair', pan: 'ABCPN1234K', email: 'meera@example.com' };
    const mobile = { isd_code: '91', number: '9811122233' };
    const profile = ok(
      await client.post('/v2/investor_profiles', { ...investor, mobile, date_of_birth: '1990-05-05' }),
    );
    const bank = await client.post('/v2/bank_accounts', {
      ...{ profile: profile.body['id'], primary_account_holder_name: investor.name, type: 'savings' },
      ...{ account_number: '50100012345678', ifsc_code: 'HDFC0000001' },
    });
    return Number(ok(bank).body['old_id']);
  }

  async function otherTenant(): Promise<ApiClient> {
    const operator = await product.operator();
    ok(await operator.post('/admin/tenants', { name: 'stranger' }));
    const { body } = ok(await operator.post('/admin/tenants/stranger/clients', {}));
    const [id, secret] = [String(body['client_id']), String(body['client_secret'])];
    return ApiClient.signIn(product.url, { tenant: 'stranger', id, secret });
  }
});
