import {
  bankAccountFacts,
  investmentAccountFacts,
  investorProfileFacts,
  seedFacts,
  signedIn,
  tenantFacts,
  type ServiceName,
} from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { decodeJwt } from 'jose';
import type { z } from 'zod';
import { IdentityStage, type Sent } from './testing/identity-stage.ts';

describe('administration', () => {
  let stage: IdentityStage;
  let admin: string;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    admin = await stage.adminToken();
  });
  afterAll(() => stage.end());

  const send = (sent: Sent) => stage.send({ token: admin, ...sent });

  it('shows a client its tenant’s operator_name, and no other setting (ADMIN-8)', async () => {
    await send({ url: '/admin/tenants', body: { name: 'named', settings: { operator_name: 'Named Ltd' } } });
    const made = await send({ url: '/admin/tenants/named/clients', body: {} });
    const { client_id, client_secret } = made.body as { client_id: string; client_secret: string };
    const token = await stage.token('named', client_id, client_secret);
    const own = await stage.send({ url: '/v2/tenant', token });
    expect([own.status, own.body]).toEqual([
      200,
      { object: 'tenant', name: 'named', operator_name: 'Named Ltd' },
    ]);
    expect((await stage.send({ url: '/v2/tenant' })).status).toBe(401);
  });

  it('creates a tenant with the default settings and shows its secret once (ADMIN-1, ADMIN-7, RATE-1, PAGE-12)', async () => {
    const made = await send({
      url: '/admin/tenants',
      body: { name: 'shop', settings: { operator_name: 'Shop Ltd' } },
    });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      object: 'tenant',
      name: 'shop',
      postback_secret: expect.stringMatching(/^[\w-]{43}$/),
      settings: {
        sdk_options_enabled: false,
        upi_collect_enabled: true,
        payment_provider: 'GATEWAYPOA',
        default_postback_url: null,
        operator_name: 'Shop Ltd',
        rate_limits: { reads_per_second: 100, writes_per_second: 100 },
      },
    });
    const read = await send({ url: '/admin/tenants/shop' });
    expect(read.body).not.toHaveProperty('postback_secret');
    expect((await send({ url: '/admin/tenants' })).body['data']).toContainEqual(read.body);
  });

  it('refuses a name that is taken', async () => {
    const again = await send({ url: '/admin/tenants', body: { name: 'demo' } });
    expect([again.status, again.body['error']]).toEqual([
      400,
      expect.objectContaining({ errors: [{ field: 'name', message: 'should be unique' }] }),
    ]);
  });

  it('changes settings and keeps the rest (ADMIN-2)', async () => {
    await send({ url: '/admin/tenants', body: { name: 'changing' } });
    const body = { sdk_options_enabled: true, verify_endpoints: true, simulator: { hold_review: true } };
    const changed = await send({ method: 'PATCH', url: '/admin/tenants/changing/settings', body });
    expect(changed.body['settings']).toMatchObject({
      sdk_options_enabled: true,
      verify_endpoints: true,
      upi_collect_enabled: true,
      simulator: { hold_transfer: false, hold_review: true, hold_registrar: false },
    });
    expect((await send({ method: 'PATCH', url: '/admin/tenants/nowhere/settings', body })).status).toBe(404);
  });

  it.each([
    ['name', { name: 'Bad Name' }],
    ['settings.payment_provider', { name: 'bad', settings: { payment_provider: 'OTHER' } }],
    [
      'settings.rate_limits.reads_per_second',
      { name: 'bad', settings: { rate_limits: { reads_per_second: 0 } } },
    ],
    ['settings.colour', { name: 'bad', settings: { colour: 'red' } }],
    ...['https://a.example/\u0000', 'https://a.example/\ud800', 'javascript:alert(1)'].map(
      (url) =>
        ['settings.default_postback_url', { name: 'bad', settings: { default_postback_url: url } }] as [
          string,
          object,
        ],
    ),
  ])('refuses a tenant with a bad %s', async (field, body) => {
    expect((await send({ url: '/admin/tenants', body })).body['error']).toMatchObject({
      errors: [{ field }],
    });
  });

  it('creates clients that get tokens until they are removed (ADMIN-3, ADMIN-4, ADMIN-5)', async () => {
    // given
    const made = await send({ url: '/admin/tenants/demo/clients', body: {} });
    const { client_id: id, client_secret: secret } = made.body as Record<string, string>;
    const form = { client_id: id ?? '', client_secret: secret ?? '' };
    expect((await stage.askToken('demo', form)).status).toBe(200);
    // then: neither the list nor a single client shows the secret
    const listed = await send({ url: '/admin/tenants/demo/clients' });
    expect(listed.text).toContain(form.client_id);
    expect(listed.text).not.toContain(form.client_secret);
    expect((await send({ url: `/admin/tenants/demo/clients/${form.client_id}` })).body).toMatchObject({
      scope: '',
    });
    // when
    const removed = await send({ method: 'DELETE', url: `/admin/tenants/demo/clients/${form.client_id}` });
    // then
    expect(removed.status).toBe(200);
    expect((await stage.askToken('demo', form)).body['error']).toBe('invalid_client');
    expect(
      (await send({ method: 'DELETE', url: `/admin/tenants/demo/clients/${form.client_id}` })).status,
    ).toBe(404);
  });

  it('refuses callers without the scope (AUTH-15)', async () => {
    const token = await stage.token();
    const urls = ['/admin/tenants', '/admin/tenants/demo', '/admin/tenants/demo/clients', '/admin/audit'];
    const statuses = await Promise.all(urls.map(async (url) => (await stage.send({ url, token })).status));
    expect(statuses).toEqual(urls.map(() => 403));
    expect((await stage.send({ url: '/admin/tenants', body: { name: 'sneaky' }, token })).status).toBe(403);
  });

  it('lets an admin act in another tenant (AUTH-17)', async () => {
    await send({ url: '/admin/tenants', body: { name: 'acted-in' } });
    const answer = await send({ url: '/v2/investor_profiles', headers: { 'x-tenant-id': 'acted-in' } });
    expect(answer.body['data']).toEqual([]);
  });

  it('is in the OpenAPI document, with its schemas', () => {
    const { paths, components } = stage.service.document;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/admin/tenants/{name}/settings', '/v2/auth/{tenant}/token']),
    );
    expect(components?.schemas).toMatchObject({
      CreateInvestorProfile: { properties: { pan: { type: 'string' } } },
      CreatedTenant: {},
    });
  });

  it('lets no caller act in a tenant that does not exist (AUTH-17)', async () => {
    const headers = { 'x-tenant-id': 'ghost' };
    const body = { name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1990-05-17' };
    expect((await send({ url: '/v2/investor_profiles', body, headers })).status).toBe(403);
  });

  it.each(['/admin/tenants/%00', '/admin/tenants/%00/clients', '/admin/tenants/demo/clients/%00'])(
    'knows no %s',
    async (url) => {
      expect((await send({ url })).status).toBe(404);
    },
  );
});

describe('what identity returns to other services', () => {
  let stage: IdentityStage;
  beforeAll(async () => {
    stage = await IdentityStage.start();
  });
  afterAll(() => stage.end());

  const call = <S extends z.ZodType>(path: string, answer: S) =>
    stage.service.app
      .get(ServiceClient)
      .call('identity' satisfies ServiceName, { method: 'GET', path, answer });

  it('is the seed, the facts of its accounts, and the tenant (SAND-14)', async () => {
    const seed = await call('/internal/seed', seedFacts);
    const bank = await call(`/internal/bank_accounts/${seed.bank_account_id}?tenant=demo`, bankAccountFacts);
    expect(bank).toMatchObject({
      id: seed.bank_account,
      profile: seed.investor_profile,
      account_number: '50100012345678',
      type: 'savings',
    });
    const profile = `/internal/investor_profiles/${seed.investor_profile}?tenant=`;
    expect(await call(`${profile}demo`, investorProfileFacts)).toEqual({
      id: seed.investor_profile,
      contacts: seed.consent,
    });
    await expect(call(`${profile}other`, investorProfileFacts)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const account = await call(
      `/internal/mf_investment_accounts/${seed.mf_investment_account}?tenant=demo`,
      investmentAccountFacts,
    );
    expect(account).toMatchObject({
      primary_investor: seed.investor_profile,
      contacts: seed.consent,
      payout_bank_account_id: seed.bank_account_id,
    });
    const byOldId = await call(
      `/internal/mf_investment_accounts/${account.old_id}?tenant=demo`,
      investmentAccountFacts,
    );
    expect(byOldId).toEqual(account);
    const tenant = await call('/internal/tenants/demo', tenantFacts);
    expect(tenant).toMatchObject({ name: 'demo', postback_secret: expect.stringMatching(/^[\w-]{43}$/) });
    const settings = await call('/internal/tenants/demo/settings', tenantFacts.shape.settings);
    expect(settings).toEqual(tenant.settings);
  });

  it('is a token without any scope for a client’s credentials, and no token for others', async () => {
    const signInWith = (client_id: string, client_secret: string, tenant = 'demo') =>
      stage.service.app.get(ServiceClient).call('identity', {
        method: 'POST',
        path: '/internal/tokens',
        body: { tenant, client_id, client_secret },
        answer: signedIn,
      });
    const { access_token } = await signInWith('admin', 'admin-secret');
    expect(decodeJwt(access_token ?? '')).toMatchObject({ tenant: 'demo', sub: 'admin', scope: '' });
    const others: [string, string, string?][] = [
      ['admin', 'wrong'],
      ['unknown', 'admin-secret'],
      ['admin', 'admin-secret', 'other'],
      ['', ''],
    ];
    for (const other of others) expect(await signInWith(...other)).toEqual({ access_token: null });
    const request = { tenant: 'demo', client_id: 'admin', client_secret: 'admin-secret' };
    const token = await stage.adminToken();
    expect((await stage.send({ url: '/internal/tokens', body: request, token })).status).toBe(401);
  });

  it('contains nothing of another tenant, and nothing without a service token', async () => {
    const seed = await call('/internal/seed', seedFacts);
    await expect(
      call(`/internal/bank_accounts/${seed.bank_account_id}?tenant=other`, bankAccountFacts),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const token = await stage.adminToken();
    expect((await stage.send({ url: '/internal/seed', token })).status).toBe(401);
  });

  it('is seeded once, for any number of starts and replicas (SAND-14)', async () => {
    const before = await call('/internal/seed', seedFacts);
    await Promise.all([stage.replica(), stage.replica()]);
    expect(await call('/internal/seed', seedFacts)).toEqual(before);
    const { body } = await stage.send({ url: '/v2/investor_profiles', token: await stage.token() });
    expect(body['data']).toHaveLength(1);
  });
});

describe('outside the sandbox', () => {
  const secrets = {
    SANDBOX: 'false',
    SERVICE_TOKEN_SECRET: 'a service token secret outside the sandbox',
    DATA_ENCRYPTION_KEY: 'a data encryption key outside the sandbox',
    ADMIN_CLIENT_ID: 'root',
    ADMIN_CLIENT_SECRET: 'a-secret-of-the-operator',
  };

  it('the first admin client comes from the environment, even a changed secret, and nothing is seeded (AUTH-14, SAND-1)', async () => {
    // given
    const stage = await IdentityStage.start({ env: secrets });
    expect(
      (await stage.askToken('operator', { client_id: 'root', client_secret: secrets.ADMIN_CLIENT_SECRET }))
        .body['scope'],
    ).toBe('admin');
    expect((await stage.askToken('demo', { client_id: 'demo', client_secret: 'demo-secret' })).status).toBe(
      401,
    );
    // when
    const ADMIN_CLIENT_SECRET = 'another-secret-of-the-operator';
    const next = await stage.replica({ env: { ...secrets, ADMIN_CLIENT_SECRET } });
    // then
    const ask = (client_secret: string) =>
      stage.askToken('operator', { client_id: 'root', client_secret }, next);
    expect((await ask(ADMIN_CLIENT_SECRET)).status).toBe(200);
    expect((await ask(secrets.ADMIN_CLIENT_SECRET)).status).toBe(401);
    await stage.end();
  });

  it.each([
    ['is missing', undefined],
    ['is short', 'short'],
    ['is the sandbox’s', 'admin-secret'],
  ])('the start is refused when the admin secret %s', async (_case, ADMIN_CLIENT_SECRET) => {
    await expect(IdentityStage.start({ env: { ...secrets, ADMIN_CLIENT_SECRET } })).rejects.toThrow(
      /^ADMIN_CLIENT_SECRET /,
    );
  });
});
