import { newId, type AuthorisationResult } from '@fundrail/contracts';
import { NOT_FOUND, REFUSAL, SILENCE, YES } from './testing/fake-provider.ts';
import { MandatesUnderTest } from './testing/mandates-under-test.ts';
import { DAY_MS } from './testing/mandate.builder.ts';

const MINUTE_MS = 60_000;

describe('the life of a mandate', () => {
  let mandates: MandatesUnderTest;
  let asItStands: MandatesUnderTest['provider']['onStatus'];
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
    asItStands = mandates.provider.onStatus;
  });
  afterAll(() => mandates.stop());

  const begin = async (mandate_id: number, payment_id: number, replaces: number[] = []) => {
    const asked = { tenant: 'demo', mandate_id, payment_id, replaces };
    return (await mandates.internal<AuthorisationResult>('/authorisations', asked)).body;
  };
  const revocationsOf = (token: string) => mandates.provider.revoked.filter((call) => call.token === token);

  it('an e-mandate passes the bank: received, approved, with one event each, even for repeated reports', async () => {
    const id = await mandates.create({ mandate_type: 'E_MANDATE' });
    const [received, approved] = [newId('event'), newId('event')];
    for (const event of [received, received])
      await mandates.authorisationFact({ mandate_id: id, status: 'received' }, event);
    for (const event of [approved, approved])
      await mandates.authorisationFact({ mandate_id: id, umrn: 'HDFC701' }, event);
    expect(await mandates.get(id)).toMatchObject({
      mandate_status: 'APPROVED',
      mandate_token: `tok_${id}`,
      umrn: 'HDFC701',
      received_at: '2026-12-21T10:00:00.000+05:30',
      approved_at: '2026-12-21T10:00:00.000+05:30',
    });
    expect(await mandates.eventsOf(id)).toEqual(['created', 'received', 'approved']);
  });

  it('an authorisation that failed lets the next one start, and leaves the mandate CREATED', async () => {
    const id = await mandates.create();
    expect((await begin(id, 8001)).outcome).toBe('begun');
    const failed = { id: 8001, mandate_id: id, payment_type: 'AUTH_TRANSACTION' } as const;
    await mandates.paymentEnded('payment.failed', failed);
    expect((await begin(id, 8002)).outcome).toBe('begun');
    // The end of the first one, received again, does not release the second one's claim.
    await mandates.paymentEnded('payment.failed', failed);
    expect(await begin(id, 8003)).toMatchObject({ code: 'AUTH_IN_PROGRESS', held_by: 8002 });
    expect((await mandates.get(id)).mandate_status).toBe('CREATED');
  });

  it('a second success is a surplus: revoked until the provider confirms, and nothing changes here', async () => {
    const id = await mandates.createApproved();
    const answers = [SILENCE, REFUSAL, NOT_FOUND];
    mandates.provider.onRevoke = () => answers.shift() ?? YES;
    for (const event of [newId('event'), newId('event')])
      await mandates.authorisationFact({ mandate_id: id, mandate_token: `second_${id}` }, event);
    for (const pause of [5_000, 30_000, 300_000]) await mandates.pass(pause);
    await mandates.settled();
    mandates.provider.onRevoke = () => YES;
    const calls = revocationsOf(`second_${id}`);
    expect(calls).toHaveLength(4);
    expect(new Set(calls.map(({ reference }) => reference)).size).toBe(1);
    expect(calls[0]?.reference).toMatch(/^[A-Za-z0-9]{1,35}$/);
    expect(await mandates.get(id)).toMatchObject({ mandate_status: 'APPROVED', mandate_token: `tok_${id}` });
  });

  it('a cancel takes effect at once, refuses later requests, and is revoked at the provider (MAN-9, MAN-10)', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await mandates.due(id, 20_000 + id);
    await mandates.execute(20_000 + id);
    mandates.provider.onRevoke = () => SILENCE;
    const { status, body } = await mandates.cancel(id);
    expect([status, body.mandate_status, body.debits_in_flight]).toEqual([200, 'CANCELLED', [20_000 + id]]);
    expect((await mandates.admit(id, { payment_id: 30_000 + id, old_id: 502 })).outcome).toBe('refused');
    await mandates.settled();
    mandates.provider.onRevoke = () => YES;
    await mandates.pass(5_000);
    await mandates.settled();
    expect(revocationsOf(`tok_${id}`)).toHaveLength(2);
    const again = await mandates.refused('POST', `/api/pg/mandates/${id}/cancel`);
    expect([again.status, again.body.error.code]).toEqual([409, 'ILLEGAL_TRANSITION']);
    expect(again.body.error.message).toContain('from "CANCELLED" to "CANCELLED"');
  });

  it('a mandate that is not approved cannot be cancelled, and the error contains both states (MAN-23)', async () => {
    const { body } = await mandates.refused('POST', `/api/pg/mandates/${await mandates.create()}/cancel`);
    expect(body.error).toMatchObject({ status: 409, code: 'ILLEGAL_TRANSITION' });
    expect(body.error.message).toContain('from "CREATED" to "CANCELLED"');
  });

  it('the investor pauses and resumes it; an outdated report is detected by asking the provider (MAN-7)', async () => {
    const id = await mandates.createApproved();
    const token = `tok_${id}`;
    mandates.provider.states.set(token, 'paused');
    await mandates.callback(token, 'paused', 'p1');
    await mandates.inStatus(id, 'PAUSED');
    mandates.provider.states.set(token, 'active');
    await mandates.callback(token, 'active', 'r1');
    await mandates.inStatus(id, 'APPROVED');
    // A second notification of the pause, late and out of order, and the first one again.
    for (const event of ['p2', 'p1', 'r1']) await mandates.callback(token, 'paused', event);
    await mandates.settled();
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'paused', 'resumed']);
  });

  it('an answer to a question from before the last notification is not applied', async () => {
    const id = await mandates.createApproved();
    const token = `tok_${id}`;
    const notified = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    mandates.provider.onStatus = async () => {
      asked.resolve();
      await notified.promise;
      return { kind: 'yes', value: { status: 'paused' } };
    };
    await mandates.callback(token, 'paused');
    await asked.promise;
    mandates.provider.onStatus = () => ({ kind: 'yes', value: { status: 'active' } });
    await mandates.callback(token, 'active');
    notified.resolve();
    await mandates.settled();
    mandates.provider.onStatus = asItStands;
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved']);
  });

  it('a silent provider is asked again, and meanwhile the mandate keeps its state', async () => {
    const id = await mandates.createApproved();
    mandates.provider.onStatus = () => SILENCE;
    await mandates.callback(`tok_${id}`, null);
    await mandates.settled();
    expect((await mandates.get(id)).mandate_status).toBe('APPROVED');
    mandates.provider.onStatus = () => ({ kind: 'yes', value: { status: 'cancelled' } });
    await mandates.pass(5_000);
    await mandates.inStatus(id, 'CANCELLED');
    mandates.provider.onStatus = asItStands;
    expect(revocationsOf(`tok_${id}`)).toEqual([]);
  });

  it.each(['cancelled', 'expired'] as const)('%s at the provider ends it here at once', async (state) => {
    const id = await mandates.createApproved();
    expect((await mandates.callback(`tok_${id}`, state)).status).toBe(200);
    expect((await mandates.get(id)).mandate_status).toBe(state.toUpperCase());
    expect(revocationsOf(`tok_${id}`)).toEqual([]);
  });

  it('a report of the provider from before the approval is not lost', async () => {
    const id = await mandates.create();
    mandates.provider.states.set(`tok_${id}`, 'paused');
    await mandates.callback(`tok_${id}`, 'paused');
    await mandates.authorisationFact({ mandate_id: id });
    await mandates.inStatus(id, 'PAUSED');
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'paused']);
  });

  it('an end that comes before the approval is not lost when the token was known already', async () => {
    const id = await mandates.create();
    await mandates.authorisationFact({ mandate_id: id, status: 'submitted' });
    await mandates.inStatus(id, 'SUBMITTED');
    mandates.provider.states.set(`tok_${id}`, 'cancelled');
    await mandates.callback(`tok_${id}`, 'cancelled');
    await mandates.settled();
    await mandates.authorisationFact({ mandate_id: id }, `approved_${id}`);
    await mandates.inStatus(id, 'CANCELLED');
    expect(await mandates.eventsOf(id)).toEqual(['created', 'submitted', 'approved', 'cancelled']);
  });

  it('another provider’s report to payments arrives by an event, once for the provider’s own id', async () => {
    const id = await mandates.createApproved();
    const fact = {
      provider_name: 'GATEWAYPOA',
      mandate_token: `tok_${id}`,
      status: 'cancelled',
      event_id: `e${id}`,
    };
    await mandates.consume('mandate_fact.received', fact);
    await mandates.consume('mandate_fact.received', fact);
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'cancelled']);
  });

  it.each([
    ['bad', { event_id: 'x', mandate_token: 'x' }],
    ['good', { event_id: 'x' }],
  ])('a callback with a %s signature and %j is a 400', async (signature, body) => {
    const answer = await mandates.service.fastify.inject({
      method: 'POST',
      url: '/callbacks/gatewaypoa/mandates',
      headers: { 'content-type': 'application/json', 'x-gatewaypoa-signature': signature },
      payload: JSON.stringify(body),
    });
    expect(answer.statusCode).toBe(400);
  });

  it('it expires at 00:00 IST after its last day, and not before (MAN-8)', async () => {
    await mandates.settled();
    const today = new Date(mandates.clock.now().getTime() + 19_800_000).toISOString().slice(0, 10);
    const id = await mandates.createApproved({ valid_to: today });
    mandates.clock.set(`${today}T23:59:59.999+05:30`);
    await mandates.settled();
    expect((await mandates.get(id)).mandate_status).toBe('APPROVED');
    await mandates.pass(1);
    expect((await mandates.inStatus(id, 'EXPIRED')).expired_at).toContain('T00:00:00.000+05:30');
  });

  it('the order of a debit that ended may be debited again only after a failure', async () => {
    const id = await mandates.createApproved();
    const [first, second] = [20_000 + id, 30_000 + id];
    await mandates.admit(id, { payment_id: first });
    const event = newId('event');
    const ended = { id: first, mandate_id: id, payment_type: 'NACH' } as const;
    for (const again of [event, event]) await mandates.paymentEnded('payment.failed', ended, again);
    expect((await mandates.admit(id, { payment_id: second })).outcome).toBe('admitted');
    await mandates.rows(
      `UPDATE mandate_debits SET state = 'succeeded', ended_at = admitted_at, check_at = NULL WHERE payment_id = $1`,
      second,
    );
    await mandates.paymentEnded('payment.success', { ...ended, id: second });
    expect(await mandates.admit(id, { payment_id: 40_000 + id })).toMatchObject({
      code: 'PAYMENT_ALREADY_EXISTS',
      held_by: second,
    });
    // REJECTED at payments, which requests a new debit with its id before we receive the event; the event then changes nothing.
    const third = { payment_id: 50_000 + id, replaces: [second] };
    expect((await mandates.admit(id, third)).outcome).toBe('admitted');
    await mandates.paymentEnded('payment.rejected', { ...ended, id: second });
    expect((await mandates.admit(id, third)).outcome).toBe('admitted');
    expect((await mandates.cancel(id)).body.debits_in_flight).toEqual([]);
  });

  it('an attempt whose outcome is recorded is not in flight', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    const payment_id = 20_000 + id;
    mandates.provider.onExecute = () => ({
      kind: 'no',
      failure_code: 'investor_bank_declined',
      message: 'x',
    });
    await mandates.due(id, payment_id);
    await mandates.execute(payment_id);
    await mandates.settled();
    mandates.provider.onExecute = () => YES;
    expect(await mandates.debit(payment_id)).toEqual({
      state: 'failed',
      failure_code: 'investor_bank_declined',
    });
    expect((await mandates.cancel(id)).body.debits_in_flight).toEqual([]);
  });

  it('a claim for a payment never created is freed after payments was asked, and that of a live one kept', async () => {
    const [id, other] = [await mandates.create(), await mandates.createApproved()];
    mandates.neighbours.payments.add(20_000 + other);
    await begin(id, 8101);
    await mandates.admit(other, { payment_id: 20_000 + other });
    await mandates.admit(other, { payment_id: 30_000 + other, old_id: 502 });
    await mandates.pass(MINUTE_MS);
    await mandates.settled();
    expect((await begin(id, 8102)).outcome).toBe('begun');
    expect(await mandates.admit(other, { payment_id: 40_000 + other })).toMatchObject({
      held_by: 20_000 + other,
    });
    expect((await mandates.admit(other, { payment_id: 50_000 + other, old_id: 502 })).outcome).toBe(
      'admitted',
    );
    const asked = mandates.neighbours.asked.flat().filter((payment) => payment === 20_000 + other);
    await mandates.pass(DAY_MS);
    await mandates.settled();
    expect(mandates.neighbours.asked.flat().filter((payment) => payment === 20_000 + other)).toEqual(asked);
  });

  it('a release frees the claims of the payment, once, and of no other payment', async () => {
    const id = await mandates.create();
    await begin(id, 8201);
    const release = async (payment_id: number) =>
      (await mandates.internal('/authorisations/release', { tenant: 'demo', mandate_id: id, payment_id }))
        .body;
    expect([await release(8202), await release(8201), await release(8201)]).toEqual([
      { released: false },
      { released: true },
      { released: false },
    ]);
  });

  it('a debit that does not exist here is answered as cancelled, so that its payment can end, and has no trace', async () => {
    const { body } = await mandates.internal('/debits/cancel', { tenant: 'demo', payment_id: 8301 });
    expect(body).toEqual({ outcome: 'cancelled' });
    for (const id of ['8301', 'x']) {
      const url = `/internal/mandates/debits/${id}/trace?tenant=demo`;
      expect((await mandates.asService('payments', url)).status).toBe(404);
    }
  });
});
