import { policy } from '@fundrail/contracts';
import { POLICIES } from '@fundrail/policies';
import { FakeClock } from '@fundrail/testing';
import { IdentityStage } from '../testing/identity-stage.ts';

describe('GET /v2/policies', () => {
  const clock = new FakeClock();
  let stage: IdentityStage;
  let token: string;
  beforeAll(async () => {
    stage = await IdentityStage.start({ clock });
    token = await stage.otherTenant('reader');
  });
  afterAll(() => stage.end());

  const get = (path: string) => stage.send({ url: `/v2/policies${path}`, token });

  it('lists every policy to the client of any tenant (POL-3)', async () => {
    const { status, body } = await get('');
    const listed = policy.array().parse(body['data']);
    expect([status, body['object']]).toEqual([200, 'list']);
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(POLICIES));
    // The law of personal data comes into force on 13 May 2027; every other policy is in force.
    const ahead = listed.filter(({ state }) => state !== 'in_force').map(({ name, state }) => [name, state]);
    expect(ahead).toEqual([['personal_data_retention', 'ahead']]);
  });

  it('shows one with its figures, sources and words', async () => {
    expect((await get('/autopay_afa_limit')).body).toMatchObject({
      object: 'policy',
      name: 'autopay_afa_limit',
      state: 'in_force',
      in_force_from: '2023-12-12',
      in_force_until: null,
      parameters: { max: 100_000 },
      tenant_parameters: { max: 100_000 },
      tenant_choice: null,
      refusal: {
        code: 'MANDATE_LIMIT_EXCEEDED',
        status: 422,
        investor: { en: expect.stringContaining('₹1,00,000'), hi: expect.stringContaining('₹1,00,000') },
      },
      source: expect.arrayContaining([expect.objectContaining({ number: 'OC-151A', seen: 'quoted' })]),
      applies_to: ['POST /api/pg/mandates'],
      versions: [
        expect.objectContaining({ from: '2022-06-16', until: '2023-12-11', parameters: { max: 15_000 } }),
        expect.objectContaining({ from: '2023-12-12', until: null }),
      ],
    });
  });

  it.each([
    ['2026-02-27', 'ahead'],
    ['2026-02-28', 'in_force'],
  ])('is on %s %s', async (at, state) => {
    expect((await get(`/upi_collect?at=${at}`)).body).toMatchObject({ state, in_force_from: '2026-02-28' });
  });

  it('is that of today in India when no day is given', async () => {
    const state = async () => (await get('/upi_collect')).body['state'];
    const now = clock.now();
    clock.set('2026-02-27T23:59:59.999+05:30');
    expect(await state()).toBe('ahead');
    clock.advance(1);
    expect(await state()).toBe('in_force');
    clock.set(now);
  });

  it.each(['?at=2026-02-30', '?at=yesterday', '?at=', '?on=2026-02-28', '/upi_collect?at=28-02-2026'])(
    'refuses %s with the name of the field',
    async (path) => {
      const { status, text } = await get(path);
      expect([status, /"field":"(at|on)"/.test(text)]).toEqual([400, true]);
    },
  );

  it.each(['/npci_merchant_collect_ended', '/toString', '/UPI_COLLECT'])('has no %s', async (path) => {
    const { status, text } = await get(path);
    expect([status, text.includes('GET /v2/policies has their names')]).toEqual([404, true]);
  });

  it('shows what the operator chose for the tenant of the token, and refuses a laxer choice (POL-7)', async () => {
    const admin = await stage.adminToken();
    const choose = (choice: object | null) =>
      stage.send({
        method: 'PATCH',
        url: '/admin/tenants/reader/settings',
        token: admin,
        body: { policies: { upi_per_transaction_limit: choice } },
      });
    const shown = async () => {
      const { parameters, tenant_parameters, tenant_choice } = (await get('/upi_per_transaction_limit')).body;
      return { parameters, tenant_parameters, tenant_choice };
    };
    const law = { max: 500_000, max_unverified: 200_000, verified_merchant: false };
    const refused = await choose({ max: 500_001 });
    expect([refused.status, refused.body['error']]).toEqual([
      400,
      expect.objectContaining({
        errors: [{ field: 'policies.upi_per_transaction_limit.max', message: 'must be at most 500000' }],
      }),
    ]);
    expect((await choose({ max: 100_000.5 })).body['error']).toMatchObject({
      errors: [
        {
          field: 'policies.upi_per_transaction_limit.max',
          message: 'must be a text, a whole number that is not negative, or true or false',
        },
      ],
    });
    expect((await choose({ max: 100_000 })).status).toBe(200);
    const own = { max: 100_000, verified_merchant: true };
    expect(await shown()).toEqual({
      parameters: law,
      tenant_parameters: { ...law, ...own },
      tenant_choice: own,
    });
    expect((await choose(null)).status).toBe(200);
    expect(await shown()).toEqual({ parameters: law, tenant_parameters: law, tenant_choice: null });
  });

  it('needs a token', async () => {
    expect((await stage.send({ url: '/v2/policies' })).status).toBe(401);
  });
});
