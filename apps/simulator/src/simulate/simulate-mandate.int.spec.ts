import { Decimal } from '@fundrail/contracts';
import { GatewaypoaPayments } from '@fundrail/providers';
import {
  asked,
  authorisationOf,
  authorised,
  debited,
  newDebit,
  newRegistration,
  noticed,
  stateOf,
} from '@fundrail/providers/testing';
import type { MandateStage } from '@fundrail/providers/testing';
import { tenantToken } from '@fundrail/testing';
import { simulatedHands } from '../testing/mandate-stage.ts';
import { API_KEY, SimulatorStage, WEBHOOK_SECRET } from '../testing/simulator-stage.ts';

// SAND-8: a test simulates the investor and the bank for mandates and their debits.
describe('simulated steps of mandates', () => {
  let stage: SimulatorStage;
  let hands: MandateStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
    hands = {
      ...simulatedHands(stage, 'gatewaypoa', (call) => call),
      ...{ mandates: stage.payments.mandates, voids: true, drawsTr: false, reportsTerms: true },
      read: ({ headers, raw }) => stage.payments.readCallback(headers, raw),
      callbacks: async (reference) => {
        await stage.callbacksSent();
        return stage.callbacks.about(reference);
      },
      reportedStates: () => Promise.resolve([]),
    };
  });
  afterAll(() => stage.end());

  const simulate = async (id: number, status: string, tenant?: string) =>
    (await stage.post(`/api/pg/simulate/mandates/${id}`, { status }, tenant)).status;
  const simulatePayment = async (id: number, body: object) =>
    (await stage.post(`/api/pg/simulate/payments/${id}`, body)).status;

  it('given a mandate, when it goes through its life, then each step happens once, and an impossible step is a 409 (SAND-8, SAND-10)', async () => {
    const { mandate_id } = await asked(hands);
    const walk = ['RECEIVED', 'SUBMITTED', 'APPROVED', 'PAUSED', 'ACTIVE', 'CANCELLED'];
    for (const status of walk) {
      expect([status, await simulate(mandate_id, status)]).toEqual([status, 200]);
      expect([status, await simulate(mandate_id, status)]).toEqual([status, 409]);
    }
    expect(await simulate(mandate_id, 'APPROVED')).toBe(409);
    expect(await simulate(mandate_id, 'PAUSED')).toBe(409);
  });

  it.each(['PAUSED', 'ACTIVE', 'CANCELLED'])(
    'given a mandate that is not authorised, when %s is simulated, then that is a 409',
    async (status) => {
      const { mandate_id } = await asked(hands);
      expect(await simulate(mandate_id, status)).toBe(409);
    },
  );

  it('given an illegal step, when it is refused, then the response names both states', async () => {
    const { mandate_id } = await asked(hands);
    const answer = await stage.post(`/api/pg/simulate/mandates/${mandate_id}`, { status: 'PAUSED' });
    expect(answer.body).toMatchObject({
      error: { code: 'ILLEGAL_TRANSITION', message: expect.stringMatching(/unauthorised.*paused/) as string },
    });
  });

  it("given another tenant's mandate, or an unknown one, when it is simulated, then that is a 404", async () => {
    const { mandate_id } = await asked(hands);
    expect(await simulate(mandate_id, 'APPROVED', 'other')).toBe(404);
    expect(await simulate(987_654, 'APPROVED')).toBe(404);
  });

  it('given a mandate that was never registered, when it is simulated, then that is a 409 that says what to do; for others a 404', async () => {
    stage.neighbours.mandates.set(4711, 'demo');
    const answer = await stage.post('/api/pg/simulate/mandates/4711', { status: 'APPROVED' });
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).toContain('authorise it first');
    expect(await simulate(4711, 'APPROVED', 'other')).toBe(404);
  });

  it('given a mandate that a client of the upstream created, when its bank is simulated, then it is authorised first (COMP-13)', async () => {
    const authorised: number[] = [];
    stage.neighbours.authorise = (mandate_id) => {
      authorised.push(mandate_id);
      return asked(hands, { mandate_id });
    };
    const authorization = tenantToken('demo', '', new Date(), { compatibility: 'upstream' });
    const simulateAs = async (id: number, status: string) =>
      (await stage.post(`/api/pg/simulate/mandates/${id}`, { status }, 'demo', { authorization })).status;
    for (const id of [4712, 4713]) stage.neighbours.mandates.set(id, 'demo');
    expect(await simulateAs(4712, 'received')).toBe(200);
    expect(await simulateAs(4712, 'APPROVED')).toBe(200);
    expect(await simulateAs(4713, 'CANCELLED')).toBe(400);
    expect(await simulateAs(4714, 'APPROVED')).toBe(404);
    expect([await simulateAs(4713, 'CREATED'), await simulateAs(4714, 'CREATED')]).toEqual([200, 404]);
    stage.neighbours.statuses.set(4713, 'CANCELLED');
    expect(await simulateAs(4713, 'CREATED')).toBe(400);
    expect(authorised).toEqual([4712]);
  });

  it('given the upstream’s order of the steps, when its client takes them, then each is accepted (COMP-13)', async () => {
    const authorization = tenantToken('demo', '', new Date(), { compatibility: 'upstream' });
    const { mandate_id } = await asked(hands);
    const step = async (status: string) => {
      const path = `/api/pg/simulate/mandates/${mandate_id}`;
      return [status, (await stage.post(path, { status }, 'demo', { authorization })).status];
    };
    for (const status of ['CREATED', 'SUBMITTED', 'SUBMITTED', 'RECEIVED', 'CREATED', 'APPROVED'])
      expect(await step(status)).toEqual([status, 200]);
    for (const status of ['CREATED', 'RECEIVED', 'SUBMITTED', 'APPROVED'])
      expect(await step(status)).toEqual([status, 400]);
  });

  it('given an authorisation that its bank has, when a client of the upstream simulates a step of its payment, then only a rejection ends that (COMP-11)', async () => {
    const authorization = tenantToken('demo', '', new Date(), { compatibility: 'upstream' });
    const { mandate_id, payment_id } = await asked(hands);
    const steps = ['PENDING', 'SUBMITTED', 'INITIATED', 'APPROVED', 'SUCCESS'];
    const answers = () =>
      Promise.all(
        steps.map((status) =>
          stage.post(`/api/pg/simulate/payments/${payment_id}`, { status }, 'demo', { authorization }),
        ),
      );
    expect(await simulate(mandate_id, 'RECEIVED')).toBe(200);
    expect((await answers()).map(({ status }) => status)).toEqual(steps.map(() => 200));
    expect(await simulate(mandate_id, 'REJECTED')).toBe(200);
    for (const answer of await answers())
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ILLEGAL_TRANSITION' } } });
  });

  it.each([{ status: 'LOST' }, {}, { status: 'APPROVED', extra: 1 }])(
    'given the body %j, when it is posted, then that is a 400',
    async (body) => {
      const { mandate_id } = await asked(hands);
      expect((await stage.post(`/api/pg/simulate/mandates/${mandate_id}`, body)).status).toBe(400);
    },
  );

  it('given an active mandate, when the payer changes its terms, then they are returned and reported, once (MAN-26, SAND-8)', async () => {
    const { registration, mandate } = await authorised(hands);
    const path = `/api/pg/simulate/mandates/${registration.mandate_id}`;
    const before = stage.callbacks.about(mandate.mandate_token).length;
    const modify = async (terms: object) => (await stage.post(path, { status: 'modified', ...terms })).status;
    expect([await modify({ mandate_limit: 1500 }), await modify({ mandate_limit: 1500 })]).toEqual([
      200, 409,
    ]);
    expect([await modify({}), await modify({ valid_to: '2020-01-01' }), await modify({ amount: 1 })]).toEqual(
      [409, 409, 400],
    );
    expect(await hands.mandates.mandateStatus(mandate)).toEqual(
      stateOf(hands, { ...registration, limit: Decimal.parse('1500') }, 'active'),
    );
    await stage.callbacksSent();
    const reported = stage.callbacks.about(mandate.mandate_token).slice(before);
    expect(reported.map(({ raw }) => (JSON.parse(raw) as { mandate: object }).mandate)).toMatchObject([
      { status: 'active', limit_paise: 150_000 },
    ]);
    const answer = await hands.mandates.notifyDebit(
      await newDebit(hands, mandate, { amount: Decimal.parse('1500.01') }),
    );
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'mandate_limit_exceeded' });
  });

  it('given two authorisations of one mandate, when it is paused, then the live one is', async () => {
    const { registration, mandate } = await authorised(hands);
    const { mandate_id } = registration;
    await asked(hands, { mandate_id });
    expect(await simulate(mandate_id, 'PAUSED')).toBe(200);
    expect(await hands.mandates.mandateStatus(mandate)).toMatchObject({ value: { status: 'paused' } });
  });

  it("given an authorisation, when the investor's page is used, then it names the limit and what is approved", async () => {
    const { reference, payment_id } = await asked(hands, { limit: Decimal.parse('25000') });
    const url = `/sandbox/upi/${payment_id}`;
    const page = await stage.service.fastify.inject({ method: 'GET', url });
    expect(page.body).toContain('Approve debits of up to ₹25,000.00');
    expect(page.body).toContain('<svg');
    const press = (payload: string) =>
      stage.service.fastify.inject({
        ...{ method: 'POST', url, payload },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    await press('action=ignore');
    expect(await authorisationOf(hands, reference)).toEqual({ status: 'waiting' });
    await press('action=approve');
    expect(await authorisationOf(hands, reference)).toMatchObject({ status: 'approved' });
    await press('action=decline');
    expect(await authorisationOf(hands, reference)).toMatchObject({ status: 'approved' });
    expect((await stage.service.fastify.inject({ method: 'GET', url })).body).toContain('Approved');
  });

  it('given an authorisation, when its payment is simulated, then that is the investor, and twice is a 409', async () => {
    const { reference, payment_id } = await asked(hands);
    expect(await simulatePayment(payment_id, { status: 'TRANSFER_REJECTED' })).toBe(409);
    const declined = { status: 'FAILED', failure_code: 'bank_downtime' };
    expect(await simulatePayment(payment_id, declined)).toBe(200);
    expect(await simulatePayment(payment_id, declined)).toBe(409);
    expect(await authorisationOf(hands, reference)).toMatchObject({ failure_code: 'bank_downtime' });
    expect(await simulatePayment(payment_id, { status: 'SUCCESS' })).toBe(200);
    expect(await simulatePayment(payment_id, { status: 'SUCCESS' })).toBe(409);
  });

  it('given a debit, when its payment is simulated before the bank responds, then that counts, and the bank sends nothing more', async () => {
    const { mandate } = await authorised(hands);
    const debit = await noticed(hands, mandate, { amount: Decimal.parse('1003') });
    expect(await simulatePayment(debit.payment_id, { status: 'SUCCESS' })).toBe(404);
    await stage.post('/sandbox/faults', {
      ...{ target: 'gatewaypoa', operation: 'debit_result', kind: 'delay', times: 1 },
      delay_ms: 36 * 3_600_000,
    });
    await hands.mandates.executeDebit(debit);
    await hands.pass('PT35H');
    expect(await hands.mandates.debitStatus(debit)).toMatchObject({ value: { status: 'waiting' } });
    expect(await simulatePayment(debit.payment_id, { status: 'SUCCESS' })).toBe(200);
    expect(await simulatePayment(debit.payment_id, { status: 'PAID_AGAIN' })).toBe(409);
    await hands.pass('PT2H');
    expect(await debited(hands, debit)).toMatchObject({ value: { status: 'captured' } });
    expect(await hands.callbacks(debit.payment_reference)).toHaveLength(1);
  });

  it('given a notice, when the payer refuses its debit, then that is reported once, and no attempt is accepted (DEB-21, SAND-7)', async () => {
    const { mandate } = await authorised(hands);
    const debit = await noticed(hands, mandate);
    const { payment_id } = debit;
    const optOut = () => simulatePayment(payment_id, { status: 'opted_out' });
    expect([await optOut(), await optOut()]).toEqual([200, 409]);
    expect(await simulatePayment(987_654, { status: 'OPTED_OUT' })).toBe(404);
    const callbacks = await hands.callbacks(debit.payment_reference);
    const facts = await Promise.all(callbacks.map((callback) => hands.read(callback)));
    expect(facts.map(({ fact }) => fact)).toEqual([
      { about: 'notice', notice_number: 1, notice: { status: 'opted_out' } },
    ]);
    const answer = await hands.mandates.executeDebit(debit);
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'debit_opted_out' });
    expect(await hands.mandates.mandateStatus(mandate)).toMatchObject({ value: { status: 'active' } });
  });

  it('given an accepted execution, when the payer refuses its debit, then that is a 409', async () => {
    const { mandate } = await authorised(hands);
    const debit = await noticed(hands, mandate);
    await hands.mandates.executeDebit(debit);
    expect(await simulatePayment(debit.payment_id, { status: 'OPTED_OUT' })).toBe(409);
  });

  it('given a failed debit, when a capture is simulated, then it is the late success of that attempt', async () => {
    const { mandate } = await authorised(hands);
    const debit = await noticed(hands, mandate, { amount: Decimal.parse('1003') });
    await hands.mandates.executeDebit(debit);
    expect(await debited(hands, debit)).toMatchObject({ value: { failure_code: 'insufficient_funds' } });
    expect(await simulatePayment(debit.payment_id, { status: 'SUCCESS' })).toBe(200);
    expect(await hands.mandates.debitStatus(debit)).toMatchObject({ value: { status: 'captured' } });
  });

  it.each([
    [-1, 'ended yesterday'],
    [1, 'begins tomorrow'],
  ] as const)(
    'given a mandate outside its validity (%s: %s), when the investor is to be notified, then it is refused',
    async (days, _) => {
      const today = new Date((await hands.now()).getTime() + 330 * 60_000);
      const day = (offset: number) =>
        new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
      const dates =
        days < 0 ? { valid_from: day(-10), valid_to: day(-1) } : { valid_from: day(1), valid_to: day(9) };
      const { mandate } = await authorised(hands, dates);
      const notice = await hands.mandates.notifyDebit(await newDebit(hands, mandate));
      expect(notice).toMatchObject({ kind: 'no', failure_code: 'mandate_cancelled' });
      const status = days < 0 ? 'expired' : 'active';
      expect(await hands.mandates.mandateStatus(mandate)).toMatchObject({ value: { status } });
    },
  );

  it("given the operator's own codes of NPCI, when a URI is created, then it contains them", async () => {
    const codes = { mandateUri: { purpose: '00', mode: '15' } };
    const options = { baseUrl: stage.url, apiKey: API_KEY, webhookSecret: WEBHOOK_SECRET, ...codes };
    const adapter = new GatewaypoaPayments(options);
    const answer = await adapter.mandates.authoriseByUri(await newRegistration(hands));
    await adapter.close();
    const uri = answer.kind === 'yes' ? new URL(answer.value.uri).searchParams : null;
    expect([uri?.get('purpose'), uri?.get('mode')]).toEqual(['00', '15']);
  });

  it('given the same reference for another mandate, when it is registered, then it is refused', async () => {
    const registration = await asked(hands);
    const other = await newRegistration(hands, { reference: registration.reference });
    expect((await hands.mandates.authoriseByUri(other)).kind).toBe('no');
  });
});
