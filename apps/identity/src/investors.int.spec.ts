import fc from 'fast-check';
import { IdentityStage, type Answered, type Sent } from './testing/identity-stage.ts';

const investor = {
  name: 'Asha Rao',
  pan: 'abcpr1234k',
  date_of_birth: '1990-05-17',
  email: 'asha@example.com',
  mobile: { isd_code: '+91', number: '9876543210' },
};
const UNKNOWN = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('investors, bank accounts and investment accounts', () => {
  let stage: IdentityStage;
  let token: string;
  let otherToken: string;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    token = await stage.token();
    otherToken = await stage.otherTenant('other');
  });
  afterAll(() => stage.end());

  const post = (url: string, body: object, by = token) => stage.send({ url, body, token: by });
  const bankOf = (profile: unknown) => ({
    profile,
    primary_account_holder_name: 'Asha Rao',
    account_number: '50100098765432',
    type: 'savings',
    ifsc_code: 'hdfc0001330',
  });
  const masked = (bank: Answered['body']): Answered['body'] => ({
    ...bank,
    account_number: 'XXXXXXXXXX5432',
  });
  async function household(by = token) {
    const profile = (await post('/v2/investor_profiles', investor, by)).body;
    const bank = (await post('/v2/bank_accounts', bankOf(profile['id']), by)).body;
    const body = { primary_investor: profile['id'], folio_defaults: { payout_bank_account: bank['id'] } };
    return { profile, bank, account: (await post('/v2/mf_investment_accounts', body, by)).body };
  }

  it('are created and read as INV-1, INV-4, INV-9 and INV-10 define them', async () => {
    const { profile, bank, account } = await household();
    expect(profile).toEqual({
      ...investor,
      object: 'investor_profile',
      id: expect.stringMatching(/^invp_[0-9a-f]{32}$/),
      old_id: expect.any(Number),
      pan: 'ABCPR1234K',
      mobile: { isd_code: '91', number: '9876543210' },
      tax_status: 'resident_individual',
      created_at: expect.stringMatching(/\+05:30$/),
    });
    expect(bank).toMatchObject({
      ifsc_code: 'HDFC0001330',
      bank_name: 'HDFC Bank',
      bank_code: 'HDFC',
      account_number: '50100098765432',
    });
    expect(account).toMatchObject({
      holding_pattern: 'single',
      folio_defaults: {
        communication_email_address: null,
        communication_mobile_number: null,
        payout_bank_account: bank['id'],
      },
    });
  });

  it('are found by either id, and listed newest first (INV-7, CONV-6, CONV-8, CONV-20)', async () => {
    const { profile, bank, account } = await household();
    for (const [path, made] of [
      ['investor_profiles', profile],
      ['bank_accounts', masked(bank)],
      ['mf_investment_accounts', account],
    ] as const) {
      expect((await stage.send({ url: `/v2/${path}/${String(made['id'])}`, token })).body).toEqual(made);
      expect((await stage.send({ url: `/v2/${path}/${String(made['old_id'])}`, token })).body).toEqual(made);
      expect((await stage.send({ url: `/v2/${path}?limit=1`, token })).body).toEqual({
        object: 'list',
        data: [made],
      });
    }
  });

  it('are filtered and paged (INV-13)', async () => {
    const { profile, bank } = await household();
    const second = (await post('/v2/bank_accounts', bankOf(profile['id']))).body;
    const of = `profile=${String(profile['id'])}`;
    const all = await stage.send({ url: `/v2/bank_accounts?${of}`, token });
    expect(all.body['data']).toEqual([second, bank].map(masked));
    const rest = await stage.send({
      url: `/v2/bank_accounts?${of}&starting_after=${String(second['id'])}`,
      token,
    });
    expect(rest.body['data']).toEqual([masked(bank)]);
    const byPan = await stage.send({ url: '/v2/investor_profiles?pan=abcpr1234k&limit=1', token });
    expect(byPan.body['data']).toEqual([profile]);
    expect((await stage.send({ url: '/v2/investor_profiles?pan=ZZZPZ9999Z', token })).body['data']).toEqual(
      [],
    );
  });

  it('are not visible to another tenant', async () => {
    const { profile, bank, account } = await household();
    const paths: Sent[] = [
      ...[profile, bank, account].flatMap((made) => {
        const path = {
          investor_profile: 'investor_profiles',
          bank_account: 'bank_accounts',
          mf_investment_account: 'mf_investment_accounts',
        }[String(made['object'])];
        return [
          { url: `/v2/${path}/${String(made['id'])}` },
          { url: `/v2/${path}/${String(made['old_id'])}` },
        ];
      }),
      { method: 'PATCH', url: `/v2/investor_profiles/${String(profile['id'])}`, body: { email: null } },
      {
        method: 'PATCH',
        url: `/v2/mf_investment_accounts/${String(account['id'])}`,
        body: { folio_defaults: {} },
      },
    ];
    const statuses = await Promise.all(
      paths.map(async (sent) => (await stage.send({ ...sent, token: otherToken })).status),
    );
    expect(statuses).toEqual(paths.map(() => 404));
    expect((await stage.send({ url: '/v2/bank_accounts', token: otherToken })).body['data']).toEqual([]);
  });

  it('change where INV-3 allows it, by the path and by the body (CONV-10, INV-11)', async () => {
    const { profile, bank, account } = await household();
    const changed = await stage.send({
      method: 'PATCH',
      url: '/v2/investor_profiles',
      body: { id: profile['id'], email: 'new@example.com' },
      token,
    });
    expect(changed.body).toEqual({ ...profile, email: 'new@example.com' });
    const cleared = await stage.send({
      method: 'PATCH',
      url: `/v2/investor_profiles/${String(profile['old_id'])}`,
      body: { mobile: null },
      token,
    });
    expect(cleared.body).toEqual({ ...profile, email: 'new@example.com', mobile: null });
    const folio = await stage.send({
      method: 'PATCH',
      url: '/v2/mf_investment_accounts',
      body: { id: account['id'], folio_defaults: { communication_mobile_number: '9000000001' } },
      token,
    });
    expect(folio.body['folio_defaults']).toEqual({
      communication_email_address: null,
      communication_mobile_number: '9000000001',
      payout_bank_account: bank['id'],
    });
  });

  it('are created once under one Idempotency-Key', async () => {
    const sent = {
      url: '/v2/investor_profiles',
      body: investor,
      token,
      headers: { 'idempotency-key': 'investor-1' },
    };
    const [first, second] = [await stage.send(sent), await stage.send(sent)];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('keep the account number encrypted in the database and out of the log (INV-8)', async () => {
    const { bank } = await household();
    const manager = stage.service.database.manager;
    const [row] = await manager.query<{ text: string }[]>(
      'SELECT b::text AS text FROM bank_accounts b WHERE id = $1',
      [bank['id']],
    );
    expect(row?.text).not.toContain('50100098765432');
    const log = stage.lines.join('');
    for (const secret of ['50100098765432', 'ABCPR1234K', 'asha@example.com', '9876543210'])
      expect(log).not.toContain(secret);
  });

  const badInvestors: [string, object][] = [
    ['name', { ...investor, name: undefined }],
    ['name', { ...investor, name: '   ' }],
    ['name', { ...investor, name: 'x'.repeat(121) }],
    ['name', { ...investor, name: 7 }],
    ['name', { ...investor, name: 'a\u0000b' }],
    ['pan', { ...investor, pan: 'ABCDE12345' }],
    ['date_of_birth', { ...investor, date_of_birth: '1990-02-30' }],
    ['date_of_birth', { ...investor, date_of_birth: '2999-01-01' }],
    ['date_of_birth', { ...investor, date_of_birth: '1899-12-31' }],
    ['date_of_birth', { ...investor, date_of_birth: '17-05-1990' }],
    ['email', { ...investor, email: 'not an address' }],
    ['mobile.number', { ...investor, mobile: { isd_code: '91', number: '12' } }],
    ['mobile.isd_code', { ...investor, mobile: { isd_code: 'IN', number: '9876543210' } }],
    ['mobile.extra', { ...investor, mobile: { ...investor.mobile, extra: 1 } }],
    ['tax_status', { ...investor, tax_status: 'alien' }],
    ['surprise', { ...investor, surprise: true }],
  ];
  it.each(badInvestors)('refuse an investor with a bad %s', async (field, body) => {
    const answer = await post('/v2/investor_profiles', body);
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code: 'BAD_REQUEST_ERROR', errors: [{ field }] });
  });

  const badBanks: [string, object][] = [
    ['profile', { profile: `invp_${UNKNOWN}` }],
    ['profile', { profile: 'bac_1' }],
    ['account_number', { account_number: '12-34' }],
    ['account_number', { account_number: '1'.repeat(36) }],
    ['account_number', { account_number: 123456789 }],
    ['type', { type: 'SAVINGS' }],
    ['ifsc_code', { ifsc_code: 'HDFC0ZZZZZZ' }],
    ['ifsc_code', { ifsc_code: 'ZZZZ0000001' }],
    ['ifsc_code', { ifsc_code: 'HDFC' }],
    ['bank_name', { bank_name: 'mine' }],
  ];
  it.each(badBanks)('refuse a bank account with a bad %s (INV-6)', async (field, wrong) => {
    const { profile } = await household();
    const answer = await post('/v2/bank_accounts', { ...bankOf(profile['id']), ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ errors: [{ field }] });
  });

  it('refuse objects of another investor or tenant, with the field', async () => {
    const [mine, neighbour, foreign] = [await household(), await household(), await household(otherToken)];
    const field = 'folio_defaults.payout_bank_account';
    for (const bank of [neighbour.bank, foreign.bank]) {
      const made = await post('/v2/mf_investment_accounts', {
        primary_investor: mine.profile['id'],
        folio_defaults: { payout_bank_account: bank['id'] },
      });
      expect([made.status, made.body['error']]).toEqual([
        400,
        expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
      ]);
    }
    const ofForeign = await post('/v2/mf_investment_accounts', { primary_investor: foreign.profile['id'] });
    expect(ofForeign.body['error']).toMatchObject({ errors: [{ field: 'primary_investor' }] });
    const bank = await post('/v2/bank_accounts', bankOf(foreign.profile['id']));
    expect(bank.body['error']).toMatchObject({ errors: [{ field: 'profile' }] });
    const patched = await stage.send({
      method: 'PATCH',
      url: '/v2/investor_profiles',
      body: { id: foreign.profile['id'] },
      token,
    });
    expect([patched.status, patched.body['error']]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'id' })] }),
    ]);
  });

  it('list the accounts of the investor with a PAN, in any case and of this tenant only (INV-13)', async () => {
    const { profile, account } = await household();
    const foreign = await household(otherToken);
    const pan = String(profile['pan']).toLowerCase();
    const idsFor = async (query: string, by = token) => {
      const { body } = await stage.send({ url: `/v2/mf_investment_accounts?${query}`, token: by });
      return (body['data'] as { id: string; primary_investor: string }[]).map(({ id }) => id);
    };
    expect(await idsFor(`primary_investor_pan=${pan}`)).toContain(account['id']);
    expect(await idsFor(`primary_investor_pan=${pan}`)).not.toContain(foreign.account['id']);
    const both = `primary_investor_pan=${pan}&primary_investor=${String(profile['id'])}`;
    expect(await idsFor(both)).toEqual([account['id']]);
    expect(await idsFor('primary_investor_pan=ZZZPZ9999Z')).toEqual([]);
    const refused = await stage.send({ url: '/v2/mf_investment_accounts?primary_investor_pan=1', token });
    expect(refused.status).toBe(400);
  });

  it('are found by a PAN that no log line has, also of a refused request (INV-14)', async () => {
    const written = stage.lines.length;
    for (const query of [
      'investor_profiles?pan=ABCPQ9876K',
      'mf_investment_accounts?primary_investor_pan=ABCPQ9876K',
    ])
      for (const more of ['', '&surprise=1']) await stage.send({ url: `/v2/${query}${more}`, token });
    const lines = stage.lines.slice(written).join('\n');
    expect(lines).toContain('"route":"/v2/mf_investment_accounts"');
    expect(lines).not.toMatch(/ABCPQ9876K|primary_investor_pan/i);
  });

  it.each([
    '/v2/investor_profiles?name=x',
    '/v2/bank_accounts?limit=0',
    '/v2/bank_accounts?starting_after=%00',
    '/v2/mf_investment_accounts?primary_investor=7',
  ])('refuse the query %s', async (url) => {
    expect((await stage.send({ url, token })).status).toBe(400);
  });

  it.each(['invp_1', '0', '-1', '99999999999999999999', 'constructor', '%27', '%00'])(
    'know no investor %s',
    async (id) => {
      expect((await stage.send({ url: `/v2/investor_profiles/${id}`, token })).status).toBe(404);
    },
  );

  it('never answer a generated body with a 5xx', async () => {
    const paths = ['investor_profiles', 'bank_accounts', 'mf_investment_accounts'];
    const field = fc.oneof(
      fc.constantFrom(...Object.keys(investor), 'profile', 'type', 'ifsc_code', 'folio_defaults'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.dictionary(field, fc.jsonValue()),
        async (path, body) => {
          const answer = await stage.send({
            url: `/v2/${path}`,
            body: JSON.stringify(body),
            token,
            headers: { 'content-type': 'application/json' },
          });
          expect(answer.status).toBe(400);
        },
      ),
      { numRuns: 200 },
    );
  });
});
