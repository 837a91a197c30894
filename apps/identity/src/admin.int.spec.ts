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

  it('makes a tenant with the default settings and shows its secret once', async () => {
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

  it('changes settings and keeps the rest', async () => {
    await send({ url: '/admin/tenants', body: { name: 'changing' } });
    const body = { sdk_options_enabled: true, simulator: { hold_review: true } };
    const changed = await send({ method: 'PATCH', url: '/admin/tenants/changing/settings', body });
    expect(changed.body['settings']).toMatchObject({
      sdk_options_enabled: true,
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

  it('makes clients that get tokens until they are removed', async () => {
    // given
    const made = await send({ url: '/admin/tenants/demo/clients', body: {} });
    const { client_id: id, client_secret: secret } = made.body as Record<string, string>;
    const form = { client_id: id ?? '', client_secret: secret ?? '' };
    expect((await stage.askToken('demo', form)).status).toBe(200);
    // then: neither list nor look-up shows the secret
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

  it('lets nobody in without the scope', async () => {
    const token = await stage.token();
    const urls = ['/admin/tenants', '/admin/tenants/demo', '/admin/tenants/demo/clients', '/admin/audit'];
    const statuses = await Promise.all(urls.map(async (url) => (await stage.send({ url, token })).status));
    expect(statuses).toEqual(urls.map(() => 403));
    expect((await stage.send({ url: '/admin/tenants', body: { name: 'sneaky' }, token })).status).toBe(403);
  });

  it('lets an admin act in another tenant', async () => {
    await send({ url: '/admin/tenants', body: { name: 'acted-in' } });
    const answer = await send({ url: '/v2/investor_profiles', headers: { 'x-tenant-id': 'acted-in' } });
    expect(answer.body['data']).toEqual([]);
  });

  it('stands in the OpenAPI document, with its schemas', () => {
    const { paths, components } = stage.service.document;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/admin/tenants/{name}/settings', '/v2/auth/{tenant}/token']),
    );
    expect(components?.schemas).toMatchObject({
      CreateInvestorProfile: { properties: { pan: { type: 'string' } } },
      CreatedTenant: {},
    });
  });

  it('lets nobody act in a tenant that does not exist', async () => {
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

  it('keeps a row of every call, refused ones too', async () => {
    await send({ url: '/admin/tenants/nowhere', headers: { 'x-request-id': 'audit-1' } });
    await send({ url: '/admin/tenants', body: { name: 'Bad Name' }, headers: { 'x-request-id': 'audit-2' } });
    const { body } = await send({ url: '/admin/audit?limit=3' });
    expect(body['data']).toMatchObject([
      { method: 'GET', path: '/admin/audit', status: null, client_id: 'admin', tenant: 'demo' },
      { method: 'POST', path: '/admin/tenants', status: 400, request_id: 'audit-2' },
      { method: 'GET', path: '/admin/tenants/nowhere', status: 404, request_id: 'audit-1' },
    ]);
  });
});

describe('what identity tells the other services', () => {
  let stage: IdentityStage;
  beforeAll(async () => {
    stage = await IdentityStage.start();
  });
  afterAll(() => stage.end());

  const call = <S extends z.ZodType>(path: string, answer: S) =>
    stage.service.app
      .get(ServiceClient)
      .call('identity' satisfies ServiceName, { method: 'GET', path, answer });

  it('is the seed, the facts of its accounts, and the tenant', async () => {
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
  });

  it('is a token without any scope for the credentials of a client, and none for others', async () => {
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
      ['nobody', 'admin-secret'],
      ['admin', 'admin-secret', 'other'],
      ['', ''],
    ];
    for (const other of others) expect(await signInWith(...other)).toEqual({ access_token: null });
    const request = { tenant: 'demo', client_id: 'admin', client_secret: 'admin-secret' };
    const token = await stage.adminToken();
    expect((await stage.send({ url: '/internal/tokens', body: request, token })).status).toBe(401);
  });

  it('is nothing of another tenant, and nothing without a service token', async () => {
    const seed = await call('/internal/seed', seedFacts);
    await expect(
      call(`/internal/bank_accounts/${seed.bank_account_id}?tenant=other`, bankAccountFacts),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const token = await stage.adminToken();
    expect((await stage.send({ url: '/internal/seed', token })).status).toBe(401);
  });

  it('is seeded once, however often and many start', async () => {
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
    SERVICE_TOKEN_SECRET: 's'.repeat(40),
    DATA_ENCRYPTION_KEY: 'd'.repeat(40),
    ADMIN_CLIENT_ID: 'root',
    ADMIN_CLIENT_SECRET: 'a-secret-of-the-operator',
  };

  it('the first admin client comes from the environment, a changed secret included, and nothing is seeded', async () => {
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
    const database = stage.databaseUrl;
    const ADMIN_CLIENT_SECRET = 'another-secret-of-the-operator';
    const next = await stage.replica({
      env: { ...secrets, IDENTITY_DATABASE_URL: database, ADMIN_CLIENT_SECRET },
    });
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
