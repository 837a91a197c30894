import { maskedNumber } from './bank-account.ts';
import { IdentityStage } from '../testing/identity-stage.ts';

const NUMBER = '50100098765432';

describe('an account number', () => {
  it.each([
    [NUMBER, 'XXXXXXXXXX5432'],
    ['123456789', 'XXXXX6789'],
    ['1234567', 'XXXX567'],
    ['12345', 'XXX45'],
  ])('%s is shown as %s', (number, shown) => {
    expect(maskedNumber(number)).toBe(shown);
  });
});

describe('the number of a bank account', () => {
  let stage: IdentityStage;
  let operator: string;
  let plain: string;
  let revealing: string;
  let bank: Record<string, unknown>;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    operator = await stage.adminToken();
    plain = await stage.token();
    revealing = await tokenWith('bank_accounts:reveal');
    bank = (await create(plain)).body;
  });
  afterAll(() => stage.end());

  async function tokenWith(scope: string): Promise<string> {
    const { body } = await stage.send({
      url: '/admin/tenants/demo/clients',
      body: { scope },
      token: operator,
    });
    return stage.token('demo', String(body['client_id']), String(body['client_secret']));
  }

  async function create(token: string) {
    const person = { name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1990-05-17' };
    const { body } = await stage.send({ url: '/v2/investor_profiles', body: person, token });
    const account = {
      ...{ profile: body['id'], primary_account_holder_name: 'Asha Rao', type: 'savings' },
      ...{ account_number: NUMBER, ifsc_code: 'HDFC0001330' },
    };
    return stage.send({ url: '/v2/bank_accounts', body: account, token });
  }

  const look = (path: string, token: string) => stage.send({ url: `/v2/bank_accounts${path}`, token });
  const numbersIn = async (path: string, token: string) => {
    const { body } = await look(path, token);
    const rows = (body['data'] ?? [body]) as { account_number: string }[];
    return rows.map(({ account_number }) => account_number);
  };
  const ways = () => [
    `/${String(bank['id'])}`,
    `/${String(bank['old_id'])}`,
    `?profile=${String(bank['profile'])}`,
  ];
  const audited = async () => {
    const { body } = await stage.send({ url: '/admin/audit?limit=10', token: operator });
    const rows = body['data'] as { path: string; status: number | null; client_id: string }[];
    return rows.filter(({ path }) => path.startsWith('/v2/bank_accounts'));
  };

  it('is complete in the answer to its creation', () => {
    expect(bank['account_number']).toBe(NUMBER);
  });

  it.each([
    ['an ordinary client', () => plain],
    ['an operator', () => operator],
  ])('is masked for %s, and nothing is audited (AUTH-16)', async (_who, token) => {
    for (const path of ways()) expect(await numbersIn(path, token())).toEqual(['XXXXXXXXXX5432']);
    expect(await audited()).toEqual([]);
  });

  it('is complete for a client with the scope, and each answer is in the audit (AUTH-16)', async () => {
    for (const path of ways()) expect(await numbersIn(path, revealing)).toEqual([NUMBER]);
    expect((await look('/bac_00000000000000000000000000000000', revealing)).status).toBe(404);
    expect(await audited()).toMatchObject([
      { path: '/v2/bank_accounts/bac_00000000000000000000000000000000', status: 404 },
      { path: `/v2/bank_accounts?limit=100&profile=${String(bank['profile'])}`, status: 200 },
      { path: `/v2/bank_accounts/${String(bank['old_id'])}`, status: 200 },
      { path: `/v2/bank_accounts/${String(bank['id'])}`, status: 200, method: 'GET', tenant: 'demo' },
    ]);
  });

  it('is audited with the operator’s own tenant and the tenant acted in, if they differ', async () => {
    await stage.send({ url: '/admin/tenants', body: { name: 'shown' }, token: operator });
    const both = await tokenWith('admin bank_accounts:reveal');
    const headers = { 'x-tenant-id': 'shown' };
    expect((await stage.send({ url: '/v2/bank_accounts/bac_x', token: both, headers })).status).toBe(404);
    const rows = (await audited()).filter(({ path }) => path === '/v2/bank_accounts/bac_x');
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ tenant: 'demo', acted_in: 'shown', status: 404 });
  });

  it('is not shown when the audit cannot be written', async () => {
    await stage.service.database.manager.query('ALTER TABLE audit_entries RENAME TO audit_away');
    const answers = await Promise.all(ways().map((path) => look(path, revealing)));
    await stage.service.database.manager.query('ALTER TABLE audit_away RENAME TO audit_entries');
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(NUMBER);
  });

  it('is not cacheable, and neither is any other answer to a token', async () => {
    for (const url of ['/v2/bank_accounts', '/v2/investor_profiles', '/admin/audit', '/v2/bank_accounts/x']) {
      const { headers } = await stage.send({ url, token: operator });
      expect([url, headers['cache-control']]).toEqual([url, 'no-store']);
    }
  });
});
