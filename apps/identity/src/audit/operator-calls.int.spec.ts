import { serviceToken, waitFor } from '@fundrail/testing';
import { IdentityStage, type Sent } from '../testing/identity-stage.ts';

describe('the record of operators', () => {
  let stage: IdentityStage;
  let admin: string;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    admin = await stage.adminToken();
    await send({ url: '/admin/tenants', body: { name: 'shop' } });
  });
  afterAll(() => stage.end());

  const send = (sent: Sent) => stage.send({ token: admin, ...sent });

  it('stores a row for every call, even a refused one (ADMIN-9)', async () => {
    await send({ url: '/admin/tenants/nowhere', headers: { 'x-request-id': 'audit-1' } });
    await send({ url: '/admin/tenants', body: { name: 'Bad Name' }, headers: { 'x-request-id': 'audit-2' } });
    const { body } = await send({ url: '/admin/audit?limit=3' });
    expect(body['data']).toMatchObject([
      { method: 'GET', path: '/admin/audit', status: null, client_id: 'admin', tenant: 'demo' },
      { method: 'POST', path: '/admin/tenants', status: 400, request_id: 'audit-2' },
      { method: 'GET', path: '/admin/tenants/nowhere', status: 404, request_id: 'audit-1' },
    ]);
  });

  const audited = async (request: string) => {
    const { body } = await send({ url: '/admin/audit' });
    return (body['data'] as { request_id: string }[]).filter(({ request_id }) => request_id === request);
  };

  it('stores a row with both tenants when an operator acts in another tenant by ordinary routes (ADMIN-9)', async () => {
    await send({ url: '/admin/tenants', body: { name: 'audited' } });
    const headers = { 'x-tenant-id': 'audited', 'x-request-id': 'elsewhere' };
    await send({ url: '/v2/investor_profiles', headers });
    await send({ url: '/v2/investor_profiles/invp_unknown', headers });
    await send({ url: '/v2/investor_profiles', headers: { 'x-request-id': 'elsewhere' } });
    expect(await audited('elsewhere')).toMatchObject([
      { tenant: 'demo', acted_in: 'audited', path: '/v2/investor_profiles/invp_unknown', status: 404 },
      { tenant: 'demo', acted_in: 'audited', path: '/v2/investor_profiles', status: 200, times: 1 },
    ]);
  });

  it('records the tenant of the path, with any x-tenant-id', async () => {
    await send({ url: '/admin/tenants', body: { name: 'claimed' } });
    const headers = { 'x-tenant-id': 'claimed', 'x-request-id': 'claims' };
    await send({ url: '/admin/tenants/demo/clients', headers });
    expect(await audited('claims')).toMatchObject([{ tenant: 'demo', acted_in: 'demo', status: 200 }]);
  });

  it('stores one row for a call that is started again under its name, and returns the same', async () => {
    const call = {
      tenant: 'demo',
      client_id: 'admin',
      acted_in: 'demo',
      named_tenant: 'ghost',
      status: null,
    };
    const body = {
      ...call,
      method: 'PATCH',
      path: '/admin/tenants/demo/settings',
      request_id: 'begun-again',
    };
    const begin = (query: string) =>
      stage.send({ url: `/internal/operator_calls${query}`, body, token: serviceToken('payments').slice(7) });
    const name = '?call=0b9a4f0e-6f5e-4c43-9d0e-2f6f2f6f2f6f';
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(name)));
    const [first] = answers;
    expect(first).toMatchObject({ status: 200, body: { is_tenant_known: false } });
    expect(answers.map(({ body: answered }) => answered)).toEqual(answers.map(() => first?.body));
    expect(await audited('begun-again')).toHaveLength(1);
    expect(Object.keys((await audited('begun-again'))[0] ?? {})).not.toContain('call_id');
    // A service of the previous release sends no name.
    await begin('');
    await begin('');
    expect(await audited('begun-again')).toHaveLength(3);
    expect((await begin('?call=nonsense')).status).toBe(400);
  });

  it('stores one row for the refusals of a minute, with their number', async () => {
    const token = await stage.token();
    const headers = { 'x-request-id': 'refused' };
    for (let time = 0; time < 4; time += 1)
      await stage.send({ url: '/admin/tenants/shop/clients/x', token, headers });
    await stage.send({ url: '/admin/tenants/x', headers: { 'x-request-id': 'a-stranger' } });
    await waitFor(async () => (await audited('refused')).length > 0);
    const second = await stage.replica();
    await stage.send({ url: '/admin/audit', token, headers: { 'x-request-id': 'at-2' } }, second);
    await stage.send({ url: '/admin/audit', token, headers: { 'x-request-id': 'at-2' } }, second);
    // A shutdown writes the counts that are not written yet.
    await second.stop();
    expect(await audited('at-2')).toMatchObject([
      { tenant: 'demo', client_id: 'demo', path: '/admin/audit', status: 403, times: 2 },
    ]);
    expect(await audited('refused')).toMatchObject([
      { path: '/admin/tenants/shop/clients/x', status: 403, times: 1 },
    ]);
    await waitFor(async () => (await audited('a-stranger')).length === 1);
    expect(await audited('a-stranger')).toMatchObject([{ tenant: null, client_id: null, status: 401 }]);
  });

  it('stores a row for a client that requests another tenant', async () => {
    const token = await stage.token();
    const headers = { 'x-tenant-id': 'shop', 'x-request-id': 'trespass' };
    expect((await stage.send({ url: '/v2/bank_accounts', token, headers })).status).toBe(403);
    await waitFor(async () => (await audited('trespass')).length === 1);
    expect(await audited('trespass')).toMatchObject([{ tenant: 'demo', acted_in: 'shop', status: 403 }]);
  });

  it.each([
    ['/admin/tenants/demo/clients', () => ({}), 'client_secret'],
    ['/admin/tenants', () => ({ name: 'replayed' }), 'postback_secret'],
  ])('shows a secret once: a replay of %s has none, states that, and has a row', async (url, body, field) => {
    const headers = { 'idempotency-key': `key of ${field}`, 'x-request-id': `replay-${field}` };
    const first = await send({ url, body: body(), headers });
    const second = await send({ url, body: body(), headers });
    const secret = String(first.body[field]);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(second.body).toEqual({
      ...first.body,
      [field]: null,
      secret_notice: expect.stringMatching(/first/),
    });
    expect(await audited(`replay-${field}`)).toHaveLength(2);
  });

  it('refuses an operator who acts in a tenant that does not exist, and stores a row', async () => {
    const headers = { 'x-tenant-id': 'ghost', 'x-request-id': 'ghost' };
    for (const url of ['/v2/investor_profiles', '/v2/bank_accounts?profile=invp_x', '/admin/tenants'])
      expect([url, (await send({ url, headers })).status]).toEqual([url, 403]);
    expect(await audited('ghost')).toMatchObject([
      { status: 403 },
      { acted_in: 'ghost' },
      { tenant: 'demo' },
    ]);
  });
});
