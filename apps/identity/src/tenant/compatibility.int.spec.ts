import { sql } from '@fundrail/persistence';
import { IdentityStage } from '../testing/identity-stage.ts';

const claimOf = (token: string): unknown =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>)[
    'compatibility'
  ];

describe('the tenant setting compatibility (COMP-1, COMP-5)', () => {
  let stage: IdentityStage;
  beforeAll(async () => {
    stage = await IdentityStage.start();
  });
  afterAll(() => stage.end());

  it('is off by default, a claim of the tokens issued after it was set, and gone from those after it was taken back', async () => {
    const admin = await stage.adminToken();
    expect([claimOf(admin), claimOf(await stage.token())]).toEqual([undefined, undefined]);
    const set = (compatibility: unknown) =>
      stage.send({
        method: 'PATCH',
        url: '/admin/tenants/demo/settings',
        body: { compatibility },
        token: admin,
      });
    for (const value of ['upstream', 'upstream/ondc', 'upstream/rta']) {
      expect((await set(value)).body).toMatchObject({ settings: { compatibility: value } });
      expect(claimOf(await stage.token())).toBe(value);
    }
    const refused = await set('upstream/bse');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('"field":"compatibility"')]);
    expect((await set(null)).body).toMatchObject({ settings: { compatibility: null } });
    expect(claimOf(await stage.token())).toBeUndefined();
  });

  it('is on for the second tenant of the sandbox, which has the same client and an investor of its own', async () => {
    const token = await stage.token('demo-upstream');
    expect(claimOf(token)).toBe('upstream');
    const accountsOf = async (one: string) => {
      const { body } = await stage.send({ url: '/v2/mf_investment_accounts', token: one });
      return (body['data'] as { id: string }[]).map(({ id }) => id);
    };
    const [theirs, ours] = [await accountsOf(token), await accountsOf(await stage.token())];
    expect([theirs.length, ours.length]).toEqual([1, 1]);
    expect(theirs).not.toEqual(ours);
    const url = '/admin/tenants/demo-upstream';
    const { body } = await stage.send({ url, token: await stage.adminToken() });
    expect(body).toMatchObject({ settings: { compatibility: 'upstream', sdk_options_enabled: true } });
  });

  it('is seeded once, also into a sandbox that an earlier release has seeded', async () => {
    const { database } = stage.service;
    for (const table of ['mf_investment_accounts', 'bank_accounts', 'investor_profiles', 'clients'])
      await database.query(sql(`test.clear_${table}`, `DELETE FROM ${table} WHERE tenant = 'demo-upstream'`));
    await database.query(sql('test.clear_tenants', "DELETE FROM tenants WHERE name = 'demo-upstream'"));
    await stage.replica();
    const token = await stage.token('demo-upstream');
    await stage.replica();
    const { body } = await stage.send({ url: '/v2/bank_accounts', token });
    expect(body['data']).toHaveLength(1);
  });
});
