import { sql } from '@fundrail/persistence';
import { inject, serviceToken } from '@fundrail/testing';
import { IdentityStage, type Answered } from './testing/identity-stage.ts';

const UNKNOWN = '0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const INVESTOR = {
  ...{ name: 'Asha Rao', pan: 'ABCPR1234K', date_of_birth: '1990-05-17', email: 'asha@example.com' },
  mobile: { isd_code: '91', number: '9876543210' },
};
const HOME = { line1: '12 Marine Drive', city: 'Mumbai', postal_code: '400020', country: 'IN' };

/** Each kind: a path, a body, the fields of the answer, and a body that is refused with its field. */
const KINDS = [
  {
    ...{ path: '/v2/phone_numbers', object: 'phone_number', prefix: 'phone' },
    body: { isd: '+91', number: '9812345678' },
    answer: { isd: '91', number: '9812345678', belongs_to: null },
    refused: { isd: '91', number: '98-12' },
    field: 'number',
  },
  {
    ...{ path: '/v2/email_addresses', object: 'email_address', prefix: 'email' },
    body: { email: 'folio@example.com', belongs_to: 'self' },
    answer: { email: 'folio@example.com', belongs_to: 'self' },
    refused: { email: 'folio' },
    field: 'email',
  },
  {
    ...{ path: '/v2/addresses', object: 'address', prefix: 'addr' },
    body: { ...HOME, nature: 'residential' },
    answer: { ...HOME, line2: null, line3: null, state: null, nature: 'residential' },
    refused: { ...HOME, country: 'India' },
    field: 'country',
  },
  {
    ...{ path: '/v2/related_parties', object: 'related_party', prefix: 'relp' },
    body: { name: 'Ravi Rao', relationship: 'spouse', pan: 'abcps1234k', address: HOME },
    answer: {
      name: 'Ravi Rao',
      relationship: 'spouse',
      pan: 'ABCPS1234K',
      address: HOME,
      guardian_name: null,
    },
    refused: { name: 'Ravi Rao', relationship: 'spouse', aadhaar_number: '123412341234' },
    field: 'aadhaar_number',
  },
] as const;

describe('the details of a profile (INV-15)', () => {
  let stage: IdentityStage;
  let token: string;
  let upstream: string;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    [token, upstream] = [await stage.token(), await stage.token('demo-upstream')];
  });
  afterAll(() => stage.end());

  const post = (url: string, body: object, by = token) => stage.send({ url, body, token: by });
  const idOf = ({ body }: Answered) => String(body['id']);
  const newProfile = async (by = token) => idOf(await post('/v2/investor_profiles', INVESTOR, by));
  const fieldsOf = ({ body }: Answered) =>
    (body['error'] as { errors: { field: string }[] }).errors.map(({ field }) => field);

  describe.each(KINDS)('$object', ({ path, object, prefix, body, answer, refused, field }) => {
    it('is created, read by its id, and listed by profile, newest first', async () => {
      const profile = await newProfile();
      const [first, second] = [
        await post(path, { profile, ...body }),
        await post(path, { profile, ...body }),
      ];
      expect([first.status, first.body]).toMatchObject([200, { object, profile, ...answer }]);
      expect(idOf(first)).toMatch(new RegExp(`^${prefix}_[0-9a-f]{32}$`));
      expect((await stage.send({ url: `${path}/${idOf(first)}`, token })).body).toEqual(first.body);
      const listed = async (more = '') =>
        (await stage.send({ url: `${path}?profile=${profile}${more}`, token })).body['data'];
      expect(await listed()).toEqual([second.body, first.body]);
      expect(await listed('&limit=1')).toEqual([second.body]);
      expect(await listed(`&starting_after=${idOf(second)}`)).toEqual([first.body]);
    });

    it('is refused by field, and for a profile that the tenant does not have', async () => {
      const profile = await newProfile();
      expect(fieldsOf(await post(path, { profile, ...refused }))).toEqual([field]);
      for (const other of [`invp_${UNKNOWN}`, await newProfile(upstream)])
        expect(fieldsOf(await post(path, { profile: other, ...body }))).toEqual(['profile']);
    });

    it('does not exist for another tenant, under an unknown id, or as another kind', async () => {
      const made = idOf(await post(path, { profile: await newProfile(), ...body }));
      const statusOf = async (url: string, by: string) => (await stage.send({ url, token: by })).status;
      expect(await statusOf(`${path}/${made}`, upstream)).toBe(404);
      expect(await statusOf(`${path}/${prefix}_${UNKNOWN}`, token)).toBe(404);
      expect(await statusOf(`${path}/invp_${UNKNOWN}`, token)).toBe(404);
    });
  });

  it('are at most 100 of a kind for each profile, also when they come at the same time', async () => {
    const [profile, other] = [await newProfile(), await newProfile()];
    const [, email] = KINDS;
    await post(email.path, { profile, ...email.body });
    await stage.service.database.query(
      sql(
        'test.many_details',
        `INSERT INTO profile_details SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'email_' || md5(n::text)))).*
         FROM profile_details d, generate_series(1, 98) n WHERE profile = $1`,
      ),
      [profile],
    );
    const answers = await Promise.all([1, 2, 3].map(() => post(email.path, { profile, ...email.body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(fieldsOf(answers.find(({ status }) => status === 400)!)).toEqual(['profile']);
    const [phone] = KINDS;
    expect((await post(phone.path, { profile, ...phone.body })).status).toBe(200);
    expect((await post(email.path, { profile: other, ...email.body })).status).toBe(200);
  });

  it('are stored encrypted, each in its own place (INV-15, INV-8)', async () => {
    const profile = await newProfile();
    for (const { path, body } of KINDS) await post(path, { profile, ...body });
    const rows = await stage.service.database.query<{ id: string; content_encrypted: string }>(
      sql('test.details', 'SELECT * FROM profile_details WHERE profile = $1 ORDER BY id'),
      [profile],
    );
    expect(rows).toHaveLength(KINDS.length);
    expect(JSON.stringify(rows)).not.toMatch(/9812345678|folio@|Marine|Ravi|ABCPS/i);
    const [one, other] = rows;
    await stage.service.database.query(
      sql('test.swap_detail', 'UPDATE profile_details SET content_encrypted = $1 WHERE id = $2'),
      [one?.content_encrypted, other?.id],
    );
    const path = KINDS.find(({ prefix }) => other?.id.startsWith(prefix))?.path;
    expect((await stage.send({ url: `${path}/${other?.id}`, token })).status).toBe(500);
  });

  describe('in folio_defaults of a client of the upstream (COMP-12, INV-16)', () => {
    const accountOf = async (profile: string, folio_defaults: object, by = upstream) =>
      post('/v2/mf_investment_accounts', { primary_investor: profile, folio_defaults }, by);
    const contactsOf = async (account: string, tenant = 'demo-upstream') => {
      const url = `/internal/mf_investment_accounts/${account}?tenant=${tenant}`;
      const headers = { authorization: serviceToken('orders') };
      const answer = await inject(stage.service, { method: 'GET', url, headers });
      return answer.json<{ contacts: object }>().contacts;
    };
    const detailsOf = async (profile: string, by = upstream) => {
      const made = KINDS.map(async ({ path, body }) => idOf(await post(path, { profile, ...body }, by)));
      const [phone = '', email = '', address = '', party = ''] = await Promise.all(made);
      return { phone, email, address, party };
    };

    it('are named by id, answered as ids, and their contacts are those of consents', async () => {
      const profile = await newProfile(upstream);
      const { phone, email, address, party } = await detailsOf(profile);
      const defaults = {
        ...{ communication_email_address: email, communication_mobile_number: phone },
        ...{ communication_address: address, nominee1: party, nominee1_allocation_percentage: 33.5 },
      };
      const made = await accountOf(profile, defaults);
      const nothing = { nominee2: null, nominations_info_visibility: null, payout_bank_account: null };
      expect(made.body['folio_defaults']).toMatchObject({ ...defaults, ...nothing });
      const read = await stage.send({ url: `/v2/mf_investment_accounts/${idOf(made)}`, token: upstream });
      expect(read.body).toEqual(made.body);
      const theirs = { email: 'folio@example.com', isd_code: '91', mobile: '9812345678' };
      expect(await contactsOf(idOf(made))).toEqual(theirs);
      const changed = await stage.send({
        ...{ method: 'PATCH', url: '/v2/mf_investment_accounts', token: upstream },
        body: {
          ...{ id: idOf(made) },
          // As a string of digits too (CONV-40).
          folio_defaults: {
            ...{ communication_email_address: null, nominee1: null, nominee1_allocation_percentage: '33.50' },
          },
        },
      });
      expect(changed.body['folio_defaults']).toMatchObject({
        ...{ communication_email_address: null, communication_mobile_number: phone },
        ...{ communication_address: address, nominee1: null, nominee1_allocation_percentage: 33.5 },
      });
      expect(await contactsOf(idOf(made))).toEqual({ ...theirs, email: 'asha@example.com' });
    });

    it('may still be plain contacts, also one that begins like an id', async () => {
      const profile = await newProfile(upstream);
      const plain = {
        communication_email_address: 'email_1@example.com',
        communication_mobile_number: '+919800000001',
      };
      const made = await accountOf(profile, plain);
      expect(made.body['folio_defaults']).toMatchObject(plain);
      expect(await contactsOf(idOf(made))).toEqual({
        ...{ email: 'email_1@example.com', isd_code: '91', mobile: '9800000001' },
      });
    });

    it('are refused where they are of another investor or unknown, one error for each field', async () => {
      const [profile, other] = [await newProfile(upstream), await newProfile(upstream)];
      const foreign = await detailsOf(other);
      const answer = await accountOf(profile, {
        ...{ communication_email_address: foreign.email, communication_mobile_number: `phone_${UNKNOWN}` },
        ...{ communication_address: foreign.address, nominee1: foreign.party },
      });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer).sort()).toEqual(
        [
          ...['folio_defaults.communication_address', 'folio_defaults.communication_email_address'],
          ...['folio_defaults.communication_mobile_number', 'folio_defaults.nominee1'],
        ].sort(),
      );
    });

    it('are not taken from other clients, whose answers lack the further fields', async () => {
      const profile = await newProfile();
      const { email, address } = await detailsOf(profile, token);
      for (const defaults of [{ communication_email_address: email }, { communication_address: address }])
        expect((await accountOf(profile, defaults, token)).status).toBe(400);
      const made = await accountOf(profile, {}, token);
      expect(Object.keys(made.body['folio_defaults'] as object)).toEqual([
        ...['communication_email_address', 'communication_mobile_number', 'payout_bank_account'],
      ]);
    });
  });

  describe('and the profile of a client of the upstream (COMP-15)', () => {
    /** As its onboarding sends them. */
    const theirs = {
      ...{ type: 'individual', gender: 'female', occupation: 'professional', pep_details: 'not_applicable' },
      ...{ country_of_birth: 'IN', place_of_birth: 'Pune', nationality_country: 'IN', signature: null },
      ...{ income_slab: 'above_1lakh_upto_5lakh', source_of_wealth: 'salary', ip_address: '103.21.124.1' },
      ...{ use_default_tax_residences: true, citizenship_countries: ['IN'] },
      first_tax_residency: { country: 'IN', taxid_type: 'pan', taxid_number: 'ABCPR1234K' },
    };
    const patch = (url: string, body: object) => stage.send({ method: 'PATCH', url, body, token: upstream });

    it('take the further fields that it sends, keep none of them, and are answered with null for each', async () => {
      const made = await post('/v2/investor_profiles', { ...INVESTOR, ...theirs }, upstream);
      const shown = { ...INVESTOR, type: 'individual', gender: null, first_tax_residency: null };
      expect([made.status, made.body]).toMatchObject([200, shown]);
      expect(made.body).not.toHaveProperty('use_default_tax_residences');
      const id = idOf(made);
      const email = 'second@example.com';
      for (const [url, body] of [
        [`/v2/investor_profiles/${id}`, { ...theirs, email }],
        ['/v2/investor_profiles', { id, gender: 'male' }],
      ] as const)
        expect((await patch(url, body)).body).toEqual({ ...made.body, email });
      expect((await patch(`/v2/investor_profiles/${id}`, { name: 'Ravi Rao' })).status).toBe(400);
      const account = {
        ...{ profile: id, primary_account_holder_name: 'Asha Rao', type: 'savings' },
        ...{ account_number: '50100098765432', ifsc_code: 'HDFC0001330', cancelled_cheque: 'file_1' },
      };
      expect((await post('/v2/bank_accounts', account, upstream)).status).toBe(200);
    });

    it('are refused where they say that the investor is another than the one who would invest', async () => {
      for (const [further, field, message] of [
        [{ guardian_name: 'Ravi Rao' }, 'guardian_name', /without a guardian/],
        [{ guardian_pan: 'ABCPR1234L' }, 'guardian_pan', /without a guardian/],
        [{ pep_details: 'pep_exposed' }, 'pep_details', /politically exposed persons are not taken/],
        [
          { first_tax_residency: { country: 'US' } },
          'first_tax_residency.country',
          /must be IN of a resident/,
        ],
        [{ aadhaar_number: '123412341234' }, 'aadhaar_number', /last four digits/],
      ] as const) {
        const refused = await post('/v2/investor_profiles', { ...INVESTOR, ...theirs, ...further }, upstream);
        expect([refused.status, fieldsOf(refused)]).toEqual([400, [field]]);
        expect(refused.body).toMatchObject({
          error: { errors: [{ message: expect.stringMatching(message) as string }] },
        });
      }
      const id = await newProfile(upstream);
      const changed = await patch('/v2/investor_profiles', { id, pep_details: 'pep_related' });
      expect([changed.status, fieldsOf(changed)]).toEqual([400, ['pep_details']]);
    });

    it('may say in a change too that a non-resident pays tax elsewhere, which a resident’s may not', async () => {
      const second_tax_residency = { country: 'US', taxid_type: 'tin', taxid_number: '1' };
      const nri = idOf(await post('/v2/investor_profiles', { ...INVESTOR, tax_status: 'nri' }, upstream));
      for (const [url, body] of [
        [`/v2/investor_profiles/${nri}`, { second_tax_residency }],
        ['/v2/investor_profiles', { id: nri, second_tax_residency, email: 'away@example.com' }],
      ] as const)
        expect((await patch(url, body)).status).toBe(200);
      const id = await newProfile(upstream);
      const email = 'home@example.com';
      for (const [url, body] of [
        [`/v2/investor_profiles/${id}`, { second_tax_residency, email }],
        ['/v2/investor_profiles', { id, second_tax_residency, email }],
      ] as const) {
        const refused = await patch(url, body);
        expect([refused.status, fieldsOf(refused)]).toEqual([400, ['second_tax_residency.country']]);
      }
      const { body } = await stage.send({
        method: 'GET',
        url: `/v2/investor_profiles/${id}`,
        token: upstream,
      });
      expect(body['email']).not.toBe(email);
    });

    it('are of a person alone, without a demat account', async () => {
      const company = await post('/v2/investor_profiles', { ...INVESTOR, type: 'non_individual' }, upstream);
      expect([company.status, fieldsOf(company)]).toEqual([400, ['type']]);
      const primary_investor = await newProfile(upstream);
      const accountWith = (demat_account: string | null) =>
        post('/v2/mf_investment_accounts', { primary_investor, folio_defaults: { demat_account } }, upstream);
      expect((await accountWith(null)).body).toMatchObject({ folio_defaults: { demat_account: null } });
      expect(fieldsOf(await accountWith('dma_1'))).toEqual(['folio_defaults.demat_account']);
    });

    it('are refused to other clients, whose answers lack the further fields', async () => {
      const refused = await post('/v2/investor_profiles', { ...INVESTOR, ...theirs });
      expect(fieldsOf(refused).sort()).toEqual(Object.keys(theirs).sort());
      const { body } = await post('/v2/investor_profiles', INVESTOR);
      expect([body['type'], body['gender']]).toEqual([undefined, undefined]);
    });
  });
});
