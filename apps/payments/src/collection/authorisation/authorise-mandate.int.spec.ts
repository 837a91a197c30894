import { authorisationFact, eventData, parseJson } from '@fundrail/contracts';
import type { AuthorisationFact, CreatedAuthorisationDto } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { setFaultHandler, waitFor } from '@fundrail/testing';
import { NOT_FOUND, SILENCE } from '../../testing/fake-provider.ts';
import { APPROVED } from '../../testing/fake-provider-mandates.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

const MINUTE_MS = 60_000;

describe('POST /api/pg/payments/emandate/auth', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const facts = async (id: number): Promise<AuthorisationFact[]> =>
    (await stage.eventRows(id))
      .filter(({ type }) => type === 'payment.mandate_fact')
      .map(({ data }) => eventData(authorisationFact).parse(parseJson(data)).object);
  const authorised = async (changes: object = {}, headers: Record<string, string> = {}) => {
    const mandate = stage.neighbours.mandates.aMandate();
    const answer = await stage.authorise(mandate.id, changes, headers);
    return { mandate, answer, created: answer.json<CreatedAuthorisationDto>() };
  };

  it('is started by the simulator too, in the sandbox (COMP-13)', async () => {
    const { id: mandate_id } = stage.neighbours.mandates.aMandate();
    const body = { tenant: 'demo', authorisation: { mandate_id, upi: { type: 'uri' } } };
    const asked = await stage.asService<{ id: number }>('simulator', '/internal/authorisations', body);
    expect(asked.status).toBe(200);
    expect(await stage.get(asked.body.id)).toMatchObject({ payment_type: 'AUTH_TRANSACTION', mandate_id });
    expect((await stage.asService('simulator', '/internal/authorisations', body)).status).toBe(409);
  });

  describe('by URI', () => {
    it('returns the URI, and fetch and list show the payment (CONV-19)', async () => {
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

    it('given the approval by callback, when it comes twice, then SUCCESS once, and one event for mandates', async () => {
      const { created, mandate } = await authorised();
      const callback = {
        reference: paymentReference(created.id),
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

    it('given no callback, then a scheduled status call finds the approval', async () => {
      const { created } = await authorised();
      stage.provider.mandates.onAuthorisationStatus.set({ kind: 'yes', value: APPROVED });
      await stage.pass(90_000);
      await stage.until(created.id, ({ status }) => status === 'SUCCESS');
    });

    it.each([
      [
        'refuses, then 422 with its reason',
        { kind: 'no', failure_code: 'bank_not_enabled', message: 'Not at this bank' } as const,
        [
          422,
          expect.stringContaining(
            'PROVIDER_REFUSED","message":"The payment provider refused the request: Not at',
          ),
        ],
        'bank_not_enabled',
      ],
      ['is silent, then 503', SILENCE, [503, expect.anything()], 'pg_server_error'],
    ])(
      'given a provider that %s, the payment FAILED, and the mandate is free immediately',
      async (_, answer, expected, failure_code) => {
        stage.provider.mandates.onUri.set(answer);
        const { answer: answered, mandate } = await authorised();
        expect([answered.status, answered.body]).toEqual(expected);
        expect(mandate.authorising).toBeNull();
        const [payment] = await stage.rows<{ status: string; failure_code: string }>(
          'SELECT status, failure_code FROM payments',
        );
        expect(payment).toEqual({ status: 'FAILED', failure_code });
        stage.provider.mandates.onUri.set(null);
        expect((await stage.authorise(mandate.id)).status).toBe(200);
      },
    );

    it.each([
      ['require', 'op@bank', 503],
      ['require', 'op.mf@validbank', 200],
      ['warn', 'op@bank', 200],
      ['off', 'op@bank', 200],
    ])(
      'given the mode %s of validated_upi_handle and a URI to %s, then %i (FLOW-16)',
      async (mode, pa, status) => {
        Object.assign(stage.neighbours.settings, { policies: { validated_upi_handle: { mode } } });
        const uri = `upi://mandate?pa=${encodeURIComponent(pa)}&pn=Operator`;
        stage.provider.mandates.onUri.set({ kind: 'yes', value: { uri } });
        const { answer, created, mandate } = await authorised();
        expect(answer.status).toBe(status);
        if (status === 200) expect(created.upi?.uri).toBe(uri);
        else expect(mandate.authorising).toBeNull();
      },
    );

    it('given ten minutes without the investor, then it expires, closed at the provider; a late approval is still published', async () => {
      const { created } = await authorised();
      await stage.pass(10 * MINUTE_MS);
      await stage.until(created.id, ({ status }) => status === 'FAILED');
      expect(await stage.get(created.id)).toMatchObject({
        failure_code: 'payment_expired',
        late_auth: false,
      });
      const fact = { about: 'authorisation', authorisation: APPROVED } as const;
      await stage.report({ reference: paymentReference(created.id), fact });
      expect(await stage.get(created.id)).toMatchObject({ status: 'FAILED', late_auth: true, refunds: [] });
      expect(await facts(created.id)).toMatchObject([{ status: 'approved' }]);
    });

    it('given the bank takes days, then it is SUBMITTED and does not expire (TIME-6, PAY-26)', async () => {
      const { created } = await authorised();
      const authorisation = {
        status: 'submitted',
        mandate_token: 'token_1',
        provider_id: null,
        umrn: null,
      } as const;
      await stage.report({
        reference: paymentReference(created.id),
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

    it('can be cancelled by its client, after a cancel call to the provider', async () => {
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

    it('is answered immediately; the request is sent once, and its five minutes start then', async () => {
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
      await stage.untilRows('SELECT 1 FROM upi_requests WHERE sent_at IS NOT NULL');
      await stage.pass(5 * MINUTE_MS);
      await stage.until(created.id, ({ failure_code }) => failure_code === 'payment_expired');
    });

    it('given an unknown VPA, then FAILED invalid_upi_id', async () => {
      stage.provider.mandates.onCollect.set({ kind: 'no', failure_code: 'invalid_upi_id', message: 'x' });
      const { created } = await authorised(collect);
      const failed = await stage.until(created.id, ({ status }) => status === 'FAILED');
      expect(failed.failure_code).toBe('invalid_upi_id');
    });

    it('is a 422 when the tenant has no collect, by the policy of payments', async () => {
      stage.neighbours.settings.upi_collect_enabled = false;
      const { answer, mandate } = await authorised(collect);
      expect(answer.status).toBe(422);
      expect(answer.body).toContain('UPI_COLLECT_DISABLED');
      expect(answer.body).toContain('"policy":{"name":"upi_collect","in_force_from":"2026-02-28"');
      expect(mandate.authorising).toBeNull();
    });
  });

  it('given a dead authorisation, when another is requested immediately, then it replaces the dead one', async () => {
    const { created, mandate } = await authorised();
    await stage.send('POST', `/api/pg/payments/${created.id}/cancel`);
    expect(mandate.authorising).toBe(created.id);
    const again = await stage.authorise(mandate.id);
    expect(again.status).toBe(200);
    expect(mandate.authorising).toBe(again.json<{ id: number }>().id);
  });

  it('given a lost answer of mandates, then 503, the id is void, and the started authorisation is released', async () => {
    stage.neighbours.mandates.loses.add('authorisations');
    const { answer, mandate } = await authorised();
    expect(answer.status).toBe(503);
    expect(mandate.authorising).toBeNull();
    expect(await stage.rows('SELECT kind FROM payment_ids')).toEqual([{ kind: 'void' }]);
  });

  it('given a request with a key that fails after the provider answered, when it is sent again, then there is one authorisation', async () => {
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

  it('given a provider that does not know it, when it is cancelled, then it ends', async () => {
    const { created } = await authorised();
    stage.provider.mandates.onCancel.set(NOT_FOUND);
    expect((await stage.send('POST', `/api/pg/payments/${created.id}/cancel`)).status).toBe(200);
  });

  it('is a 404 for another tenant', async () => {
    const { created } = await authorised();
    const other = { authorization: stage.neighbours.tokens.header('other') };
    expect((await stage.send('GET', `/api/pg/payments/${created.id}`, undefined, other)).status).toBe(404);
  });
});
