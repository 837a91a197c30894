import type { AuthorisationFact, CreatedAuthorisationDto } from '@fundrail/contracts';
import { authorisationFact, eventData, parseJson } from '@fundrail/contracts';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

const MINUTE_MS = 60_000;
const APPROVED = {
  status: 'approved',
  provider_reference: 'ref_1',
  mandate_token: 'token_1',
  provider_id: null,
  umrn: 'UMRN1',
} as const;

describe('POST /api/pg/payments/emandate/auth', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.end());

  const facts = async (id: number): Promise<AuthorisationFact[]> =>
    (await stage.eventRows(id))
      .filter(({ type }) => type === 'payment.mandate_fact')
      .map(({ data }) => eventData(authorisationFact).parse(parseJson(data)).object);
  const reference = (id: number) => `P${String(id).padStart(12, '0')}`;
  const authorised = async (changes: object = {}, headers: Record<string, string> = {}) => {
    const mandate = stage.neighbours.mandates.aMandate();
    const answer = await stage.authorise(mandate.id, changes, headers);
    return { mandate, answer, created: answer.json<CreatedAuthorisationDto>() };
  };

  describe('by URI', () => {
    it('answers the URI at once, and the payment is seen in fetch and list', async () => {
      const { mandate, answer, created } = await authorised();
      expect(answer.status).toBe(200);
      expect(created).toEqual({
        id: created.id,
        token_url: '',
        upi: { type: 'uri', vpa: null, uri: expect.stringMatching(/^upi:\/\/mandate\?pa=op%40bank&/) },
      });
      expect(await stage.get(created.id)).toMatchObject({
        payment_type: 'AUTH_TRANSACTION',
        status: 'PENDING',
        amc_order_ids: [],
        mandate_id: mandate.id,
        upi: created.upi,
      });
      const list = await stage.send('GET', '/api/pg/payments?payment_type=AUTH_TRANSACTION');
      expect(list.body).toContain('"amount":0.0000');
      expect(list.json<{ payments: unknown[] }>().payments).toHaveLength(1);
      expect(stage.provider.mandates.registered).toMatchObject([
        { mandate_id: mandate.id, mandate_ref: mandate.mandate_ref, payer: { account_type: 'savings' } },
      ]);
      expect(await stage.events(created.id)).toEqual(['payment.pending', 'payment.updated']);
    });

    it('given the approval by callback, when it comes twice, then SUCCESS once, and mandates is told once', async () => {
      const { created, mandate } = await authorised();
      const callback = {
        reference: reference(created.id),
        fact: { about: 'authorisation', authorisation: APPROVED },
      } as const;
      expect((await stage.report({ ...callback, event_id: 'e1' })).status).toBe(200);
      await stage.report({ ...callback, event_id: 'e1' });
      await stage.report({ ...callback, event_id: 'e2' });
      expect(await stage.get(created.id)).toMatchObject({ status: 'SUCCESS' });
      expect(await facts(created.id)).toMatchObject([
        { mandate_id: mandate.id, status: 'approved', mandate_token: 'token_1', umrn: 'UMRN1' },
      ]);
      expect(stage.provider.transfers).toEqual([]);
    });

    it('given no callback, when the provider is asked on schedule, then the approval is found', async () => {
      const { created } = await authorised();
      stage.provider.mandates.onAuthorisationStatus.set({ kind: 'yes', value: APPROVED });
      await stage.pass(5_000);
      await stage.until(created.id, ({ status }) => status === 'SUCCESS');
    });

    it.each([
      ['refuses', { kind: 'no', failure_code: 'bank_not_enabled', message: 'x' } as const],
      ['is silent', SILENCE],
    ])(
      'given a provider that %s, then 503, FAILED pg_server_error, and the mandate is free at once',
      async (_, answer) => {
        stage.provider.mandates.onUri.set(answer);
        const { answer: answered, mandate } = await authorised();
        expect(answered.status).toBe(503);
        expect(mandate.authorising).toBeNull();
        const [payment] = await stage.rows<{ status: string; failure_code: string }>(
          'SELECT status, failure_code FROM payments',
        );
        expect(payment).toEqual({ status: 'FAILED', failure_code: 'pg_server_error' });
        stage.provider.mandates.onUri.set(null);
        expect((await stage.authorise(mandate.id)).status).toBe(200);
      },
    );

    it('given ten minutes without the investor, then it expires, closed at the provider; a late approval is told all the same', async () => {
      const { created } = await authorised();
      await stage.pass(10 * MINUTE_MS);
      await stage.until(created.id, ({ status }) => status === 'FAILED');
      expect(await stage.get(created.id)).toMatchObject({
        failure_code: 'payment_expired',
        late_auth: false,
      });
      const fact = { about: 'authorisation', authorisation: APPROVED } as const;
      await stage.report({ reference: reference(created.id), fact });
      expect(await stage.get(created.id)).toMatchObject({ status: 'FAILED', late_auth: true, refunds: [] });
      expect(await facts(created.id)).toMatchObject([{ status: 'approved' }]);
    });

    it('given the bank takes days, then it is SUBMITTED and does not expire', async () => {
      const { created } = await authorised();
      const authorisation = {
        status: 'submitted',
        mandate_token: 'token_1',
        provider_id: null,
        umrn: null,
      } as const;
      await stage.report({
        reference: reference(created.id),
        fact: { about: 'authorisation', authorisation },
      });
      await stage.pass(48 * 60 * MINUTE_MS);
      await stage.pass(1);
      expect(await stage.get(created.id)).toMatchObject({ status: 'SUBMITTED' });
      expect((await stage.send('POST', `/api/pg/payments/${created.id}/cancel`)).status).toBe(409);
      stage.provider.mandates.onAuthorisationStatus.set({ kind: 'yes', value: APPROVED });
      await stage.pass(60 * MINUTE_MS);
      await stage.until(created.id, ({ status }) => status === 'SUCCESS');
      expect((await facts(created.id)).map(({ status }) => status)).toEqual(['submitted', 'approved']);
    });

    it('is cancelled by its client, the provider asked first', async () => {
      const { created } = await authorised();
      const cancelled = await stage.send('POST', `/api/pg/payments/${created.id}/cancel`);
      expect(cancelled.json()).toMatchObject({ status: 'FAILED', failure_code: 'user_cancelled' });
      expect(stage.provider.mandates.onCancel.calls).toBe(1);
    });

    it('given it was authorised already, when it is cancelled, then 409 and SUCCESS', async () => {
      const { created } = await authorised();
      stage.provider.mandates.onCancel.set({ kind: 'no', failure_code: 'already_authorised', message: 'x' });
      stage.provider.mandates.onAuthorisationStatus.set({ kind: 'yes', value: APPROVED });
      expect((await stage.send('POST', `/api/pg/payments/${created.id}/cancel`)).status).toBe(409);
      expect(await stage.get(created.id)).toMatchObject({ status: 'SUCCESS' });
    });
  });

  describe('by collect', () => {
    const collect = { upi: { type: 'COLLECT', vpa: 'investor@bank' } };

    it('answers at once, and the request goes out once; its five minutes run from then', async () => {
      stage.provider.mandates.onCollect.set(SILENCE, { kind: 'yes', value: null });
      const { answer, created } = await authorised(collect);
      expect(answer.status).toBe(200);
      expect(created).toMatchObject({
        token_url: '',
        upi: { type: 'collect', vpa: 'investor@bank', uri: '' },
      });
      await waitFor(() => stage.provider.mandates.onCollect.calls === 1);
      await stage.pass(5_000);
      await waitFor(() => stage.provider.mandates.onCollect.calls === 2);
      await stage.untilRows('SELECT 1 FROM payments WHERE collect_sent_at IS NOT NULL');
      await stage.pass(5 * MINUTE_MS);
      await stage.until(created.id, ({ failure_code }) => failure_code === 'payment_expired');
    });

    it('given an unknown VPA, then FAILED invalid_upi_id', async () => {
      stage.provider.mandates.onCollect.set({ kind: 'no', failure_code: 'invalid_upi_id', message: 'x' });
      const { created } = await authorised(collect);
      const failed = await stage.until(created.id, ({ status }) => status === 'FAILED');
      expect(failed.failure_code).toBe('invalid_upi_id');
    });

    it('is 422 where the tenant has no collect, by the policy of payments', async () => {
      stage.neighbours.settings.upi_collect_enabled = false;
      const { answer, mandate } = await authorised(collect);
      expect(answer.status).toBe(422);
      expect(answer.body).toContain('UPI_COLLECT_DISABLED');
      expect(answer.body).toContain('npci_merchant_collect_ended');
      expect(mandate.authorising).toBeNull();
    });
  });

  describe('refuses', () => {
    it.each([
      ['an unknown mandate', () => 9_999, {}, 'mandate_id'],
      [
        "another tenant's mandate",
        () => stage.neighbours.mandates.aMandate({ tenant: 'other' }).id,
        {},
        'mandate_id',
      ],
      [
        'UPI for an e-mandate',
        () => stage.neighbours.mandates.aMandate({ mandate_type: 'E_MANDATE' }).id,
        {},
        'upi',
      ],
      [
        'a bad VPA',
        () => stage.neighbours.mandates.aMandate().id,
        { upi: { type: 'collect', vpa: 'x' } },
        'upi.vpa',
      ],
      ['an unknown field', () => stage.neighbours.mandates.aMandate().id, { amount: 1 }, 'amount'],
    ])('%s with 400 that names the field', async (_, id, changes, field) => {
      const answer = await stage.authorise(id(), changes);
      expect(answer.status).toBe(400);
      expect(answer.json<{ error: { errors: { field: string }[] } }>().error.errors[0]?.field).toBe(field);
    });

    it('a second one while one is running with 409, and of 20 at once all but one', async () => {
      const mandate = stage.neighbours.mandates.aMandate();
      const answers = await Promise.all(Array.from({ length: 20 }, () => stage.authorise(mandate.id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 19 }, () => 409),
      ]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.json<{ error: { code: string } }>().error.code).toBe('AUTH_IN_PROGRESS');
    });

    it('an approved mandate with 409 ILLEGAL_TRANSITION', async () => {
      const answer = await stage.authorise(stage.neighbours.mandates.anApproved().id);
      expect([answer.status, answer.json<{ error: { code: string } }>().error.code]).toEqual([
        409,
        'ILLEGAL_TRANSITION',
      ]);
    });
  });

  it('given an authorisation that is dead here, when another is asked for at once, then it takes its place', async () => {
    const { created, mandate } = await authorised();
    await stage.send('POST', `/api/pg/payments/${created.id}/cancel`);
    expect(mandate.authorising).toBe(created.id);
    const again = await stage.authorise(mandate.id);
    expect(again.status).toBe(200);
    expect(mandate.authorising).toBe(again.json<{ id: number }>().id);
  });

  it('given a lost answer of mandates, then 503, the id void, and what was begun is released', async () => {
    stage.neighbours.mandates.loses.add('authorisations');
    const { answer, mandate } = await authorised();
    expect(answer.status).toBe(503);
    expect(mandate.authorising).toBeNull();
    expect(await stage.rows('SELECT kind FROM payment_ids')).toEqual([{ kind: 'void' }]);
  });

  it('given a request with a key that breaks after the provider answered, when it is sent again, then one authorisation', async () => {
    const mandate = stage.neighbours.mandates.aMandate();
    const fault = setFaultHandler('payments.checkout_answered');
    const key = { 'idempotency-key': 'k1' };
    const first = stage.authorise(mandate.id, {}, key);
    await fault.reached;
    fault.fail(new Error('broken there'));
    expect((await first).status).toBe(500);
    const again = await stage.authorise(mandate.id, {}, key);
    expect(again.status).toBe(200);
    const replayed = await stage.authorise(mandate.id, {}, key);
    expect(replayed.body).toBe(again.body);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    const { id } = again.json<{ id: number }>();
    expect(await stage.rows("SELECT id FROM payments WHERE status = 'PENDING'")).toEqual([{ id }]);
    expect(mandate.authorising).toBe(id);
  });

  it('given a request that died before its answer, then it is given up after a minute, and the mandate is free', async () => {
    const mandate = stage.neighbours.mandates.aMandate();
    const fault = setFaultHandler('payments.checkout_answered');
    const dying = stage.authorise(mandate.id);
    await fault.reached;
    await stage.pass(61_000);
    await waitFor(() => mandate.authorising === null);
    fault.resume();
    expect((await dying).status).toBe(503);
    expect(await stage.rows('SELECT status, failure_code FROM payments')).toEqual([
      { status: 'FAILED', failure_code: 'pg_server_error' },
    ]);
  });

  it('given a provider that never heard of it, when it is cancelled, then it ends', async () => {
    const { created } = await authorised();
    stage.provider.mandates.onCancel.set(NOT_FOUND);
    expect((await stage.send('POST', `/api/pg/payments/${created.id}/cancel`)).status).toBe(200);
  });

  it("is another tenant's 404", async () => {
    const { created } = await authorised();
    const other = { authorization: stage.neighbours.tokens.header('other') };
    expect((await stage.send('GET', `/api/pg/payments/${created.id}`, undefined, other)).status).toBe(404);
  });
});
