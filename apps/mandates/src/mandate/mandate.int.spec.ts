import type { MandateDto, MandateFacts } from '@fundrail/contracts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

const URL = '/api/pg/mandates';
const VALID = { mandate_type: 'UPI', bank_account_id: 7, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };

describe('mandates over HTTP', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
  });
  afterAll(() => mandates.stop());

  it('given a bank account, when a mandate is created, then it is CREATED, valid for 30 years from today, and published (CONV-18)', async () => {
    const created = await mandates.ask<{ id: number; mandate_ref: string }>('POST', URL, {
      body: { ...VALID, mandate_type: 'upi', source_ref_id: 'one' },
    });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body)).toEqual(['id', 'mandate_ref']);
    const mandate = await mandates.get(created.body.id);
    expect(mandate).toMatchObject({
      id: created.body.id,
      mandate_ref: created.body.mandate_ref,
      mandate_type: 'UPI',
      mandate_status: 'CREATED',
      valid_from: '2026-12-21',
      valid_to: '2056-12-21',
      created_at: '2026-12-21T10:00:00.000+05:30',
      approved_at: null,
      source_ref_id: 'one',
    });
    expect(JSON.stringify(mandate.mandate_limit)).toBe('5000.0000');
    expect(await mandates.eventsOf(mandate.id)).toEqual(['created']);
    expect((await mandates.ask('GET', `${URL}/${mandate.mandate_ref}`)).body).toEqual(mandate);
  });

  it('given a key, when the request is retried, then the answer is the same mandate with the same status', async () => {
    const ask = () => mandates.ask<{ id: number }>('POST', URL, { body: VALID, key: 'k1' });
    const [first, second] = [await ask(), await ask()];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('given many, when another service asks, then it gets those that their tenants have', async () => {
    const [one, other] = [await mandates.create(), await mandates.createApproved()];
    const asked = [
      { tenant: 'demo', id: one },
      { tenant: 'demo', id: other },
      { tenant: 'other', id: one },
      { tenant: 'demo', id: 99_999 },
    ];
    const answerTo = async (of: object[]) => {
      const { body } = await mandates.internal<{ mandates: MandateFacts[] }>('/batch', { mandates: of });
      return body.mandates.map(({ id, mandate_status }) => [id, mandate_status]).sort();
    };
    expect(await answerTo(asked.filter(({ tenant }) => tenant === 'demo'))).toEqual([
      [one, 'CREATED'],
      [other, 'APPROVED'],
    ]);
    expect(await answerTo([{ tenant: 'other', id: one }])).toEqual([]);
  });

  it('given a source_ref_id, when it is used again, then it is a 400, and the first is found (CONV-9)', async () => {
    const id = await mandates.create({ source_ref_id: 'twice' });
    const again = await mandates.refused('POST', URL, { body: { ...VALID, source_ref_id: 'twice' } });
    expect([again.status, again.body.error.errors]).toEqual([
      400,
      [{ field: 'source_ref_id', message: 'should be unique' }],
    ]);
    const { body } = await mandates.ask<{ mandates: MandateDto[] }>('GET', `${URL}?source_ref_id=twice`);
    expect(body.mandates.map((mandate) => mandate.id)).toEqual([id]);
  });

  it.each<[object, number, string, string]>([
    [{ mandate_type: 'NACH' }, 400, 'BAD_REQUEST_ERROR', 'mandate_type'],
    [{ mandate_type: undefined }, 400, 'BAD_REQUEST_ERROR', 'mandate_type'],
    [{ bank_account_id: 99 }, 400, 'BAD_REQUEST_ERROR', 'bank_account_id'],
    [{ bank_account_id: 'bac_1' }, 400, 'BAD_REQUEST_ERROR', 'bank_account_id'],
    [{ provider_name: 'RAZORPAY' }, 400, 'BAD_REQUEST_ERROR', 'provider_name'],
    [{ mandate_limit: 0 }, 400, 'BAD_REQUEST_ERROR', 'mandate_limit'],
    [{ mandate_limit: 1.005 }, 400, 'BAD_REQUEST_ERROR', 'mandate_limit'],
    [{ mandate_limit: '5,000' }, 400, 'BAD_REQUEST_ERROR', 'mandate_limit'],
    [{ mandate_limit: 100_000.01 }, 422, 'MANDATE_LIMIT_EXCEEDED', ''],
    [{ mandate_type: 'E_MANDATE', mandate_limit: 10_000_000.01 }, 422, 'MANDATE_LIMIT_EXCEEDED', ''],
    [{ mandate_type: 'E_MANDATE', provider_name: 'SDKVENDOR' }, 422, 'PROVIDER_REFUSED', ''],
    [{ valid_from: '2026-12-20' }, 400, 'BAD_REQUEST_ERROR', 'valid_from'],
    [{ valid_from: '2026-02-30' }, 400, 'BAD_REQUEST_ERROR', 'valid_from'],
    [{ valid_from: '2056-12-22' }, 400, 'BAD_REQUEST_ERROR', 'valid_from'],
    [{ valid_to: '2026-12-20' }, 400, 'BAD_REQUEST_ERROR', 'valid_to'],
    [{ valid_to: '2056-12-22' }, 400, 'BAD_REQUEST_ERROR', 'valid_to'],
    [{ valid_to: '21/12/2027' }, 400, 'BAD_REQUEST_ERROR', 'valid_to'],
    [{ source_ref_id: '' }, 400, 'BAD_REQUEST_ERROR', 'source_ref_id'],
    [{ mandate_status: 'APPROVED' }, 400, 'BAD_REQUEST_ERROR', 'mandate_status'],
  ])('refuses %j with %i %s (MAN-3, MAN-4, MAN-24)', async (change, status, code, field) => {
    const { body } = await mandates.refused('POST', URL, { body: { ...VALID, ...change } });
    expect([body.error.status, body.error.code]).toEqual([status, code]);
    expect(body.error.errors.map((error) => error.field)).toEqual(field === '' ? [] : [field]);
  });

  it.each([
    [{ mandate_limit: 100_000.01 }, 'autopay_afa_limit', '2023-12-12', '₹1,00,000'],
    [
      { mandate_type: 'E_MANDATE', mandate_limit: 10_000_000.01 },
      'mandate_validity',
      '2023-10-01',
      '₹1,00,00,000',
    ],
  ])('refuses %j with the policy %s and its words (ERR-13)', async (change, name, in_force_from, limit) => {
    const { body } = await mandates.refused('POST', URL, { body: { ...VALID, ...change } });
    const investor = { en: expect.stringContaining(limit), hi: expect.stringContaining(limit) };
    expect(body.error.policy).toEqual({ name, in_force_from, source: expect.any(Array), investor });
  });

  it.each<[object]>([
    [{ mandate_limit: 100_000 }],
    [{ mandate_type: 'E_MANDATE', mandate_limit: 10_000_000 }],
    [{ valid_from: '2026-12-21', valid_to: '2026-12-21' }],
    [{ valid_to: '2056-12-21' }],
    [{ provider_name: 'SDKVENDOR' }],
    [{ valid_from: null, valid_to: null, source_ref_id: null }],
  ])('takes %j', async (change) => {
    expect((await mandates.ask('POST', URL, { body: { ...VALID, ...change } })).status).toBe(201);
  });

  it.each([
    ['E_MANDATE', 'SDKVENDOR', 'GATEWAYPOA', 'the only one that takes it'],
    ['UPI', 'SDKVENDOR', 'SDKVENDOR', "the tenant's own"],
    ['upi', 'GATEWAYPOA', 'GATEWAYPOA', "the tenant's own"],
  ] as const)(
    'given %s without provider_name and the tenant with %s, when it is created, then it is of %s: %s (MAN-25)',
    async (mandate_type, own, provider_name, _why) => {
      mandates.neighbours.settings.payment_provider = own;
      for (const change of [{ provider_name: undefined }, { provider_name: null }]) {
        const id = await mandates.create({ mandate_type, ...change });
        expect(await mandates.get(id)).toMatchObject({ provider_name });
      }
    },
  );

  it('given UPI without provider_name, when identity does not answer, then it is a 503 (MAN-25)', async () => {
    mandates.neighbours.silent = true;
    const body = { ...VALID, provider_name: undefined };
    const { status } = await mandates.refused('POST', URL, { body });
    mandates.neighbours.silent = false;
    expect(status).toBe(503);
  });

  it.each([
    ['ONDC', 'GATEWAYPOA', 'CYBRILLAPOA'],
    ['CYBRILLAPOA', 'GATEWAYPOA', 'CYBRILLAPOA'],
    ['RAZORPAY', 'SDKVENDOR', 'RAZORPAY'],
  ])(
    'given a client of the upstream, when it names %s, then the mandate is of %s, and shown to it as %s (COMP-2)',
    async (provider_name, ours, shown) => {
      const options = { body: { ...VALID, provider_name }, compatibility: 'upstream' } as const;
      expect((await mandates.refused('POST', URL, { body: options.body })).status).toBe(400);
      const { status, body } = await mandates.ask<{ id: number }>('POST', URL, options);
      expect(status).toBe(201);
      expect(await mandates.get(body.id)).toMatchObject({ provider_name: ours });
      const { compatibility } = options;
      expect((await mandates.ask('GET', `${URL}/${body.id}`, { compatibility })).body).toMatchObject({
        provider_name: shown,
      });
    },
  );

  it('given mandates of two accounts, when they are listed, then newest first, by account, in pages (CONV-15, CONV-20, CONV-22)', async () => {
    const ids = [
      await mandates.create({ bank_account_id: 8 }),
      await mandates.create({ bank_account_id: 9 }),
      await mandates.create({ bank_account_id: 8 }),
    ];
    const list = async (query: string) =>
      (await mandates.ask<Record<string, unknown> & { mandates: MandateDto[] }>('GET', `${URL}?${query}`))
        .body;
    const both = await list('bank_account_id=8,9&size=2');
    expect(both).toMatchObject({
      first: true,
      last: false,
      total_pages: 2,
      total_elements: 3,
      size: 2,
      number: 0,
      number_of_elements: 2,
    });
    expect(both.mandates.map((mandate) => mandate.id)).toEqual([ids[2], ids[1]]);
    const rest = await list('bank_account_id=8,9&size=2&page=1');
    expect([rest['last'], rest.mandates.map((mandate) => mandate.id)]).toEqual([true, [ids[0]]]);
    expect((await list('bank_account_id=9')).mandates).toHaveLength(1);
  });

  it.each(['bank_account_id=a', 'bank_account_id=', 'mandate_status=CREATED', 'size=0', 'page=-1'])(
    'refuses the query %s',
    async (query) => {
      expect((await mandates.refused('GET', `${URL}?${query}`)).status).toBe(400);
    },
  );

  it('given a mandate, when another tenant asks for it, then it is not found', async () => {
    const id = await mandates.createApproved();
    const { mandate_ref } = await mandates.get(id);
    for (const path of [`${URL}/${id}`, `${URL}/${mandate_ref}`])
      expect((await mandates.refused('GET', path, { tenant: 'other' })).status).toBe(404);
    expect((await mandates.refused('POST', `${URL}/${id}/cancel`, { tenant: 'other' })).status).toBe(404);
    const list = await mandates.ask<{ mandates: [] }>('GET', URL, { tenant: 'other' });
    expect(list.body.mandates).toEqual([]);
    expect((await mandates.internal(`/${id}?tenant=other`)).status).toBe(404);
    expect((await mandates.get(id)).mandate_status).toBe('APPROVED');
  });

  it.each(['%00', '%F0%9F%92%A9', '0', '-1', '1e9', '999999999999999999999', 'man_', "' OR 1=1"])(
    'knows no mandate by the id %s',
    async (id) => {
      expect((await mandates.refused('GET', `${URL}/${id}`)).status).toBe(404);
      expect((await mandates.refused('POST', `${URL}/${id}/cancel`)).status).toBe(404);
    },
  );
});
