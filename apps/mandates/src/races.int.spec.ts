import type { AuthorisationResult } from '@fundrail/contracts';
import { MandatesUnderTest } from './testing/mandates-under-test.ts';
import { DAY_MS } from './testing/mandate.builder.ts';

const ROUNDS = 12;
const rounds = Array.from({ length: ROUNDS }, (_, index) => index);

/** Two instances on one PostgreSQL: whatever comes together ends in one order of events, and the answers tell which. */
describe('what comes at the same time, at two instances', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start(2);
  });
  afterAll(() => mandates.stop());

  const begin = async (mandate_id: number, payment_id: number, at: number) => {
    const asked = { tenant: 'demo', mandate_id, payment_id, replaces: [] };
    return (await mandates.internal<AuthorisationResult>('/authorisations', asked, at)).body;
  };
  const admitted = (id: number) =>
    mandates.rows(`SELECT FROM mandate_debits WHERE mandate_id = $1 AND state = 'admitted'`, id);

  it('a cancel and an admission: admitted before it, or refused after it', async () => {
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const payment_id = 20_000 + id;
      const [cancelled, result] = await Promise.all([
        mandates.cancel(id, { at: round % 2 }),
        mandates.admit(id, { payment_id }, (round + 1) % 2),
      ]);
      expect([cancelled.status, cancelled.body.debits_in_flight]).toEqual([200, []]);
      expect(await admitted(id)).toHaveLength(result.outcome === 'admitted' ? 1 : 0);
      if (result.outcome === 'refused') expect(result.code).toBe('MANDATE_NOT_APPROVED');
      expect(await mandates.permit(id, payment_id)).toMatchObject({ code: 'mandate_cancelled' });
    }
  });

  it('a cancel and a permit: granted and told as in flight, or refused and not told', async () => {
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const payment_id = 20_000 + id;
      await mandates.admit(id, { payment_id });
      const [cancelled, permit] = await Promise.all([
        mandates.cancel(id, { at: round % 2 }),
        mandates.permit(id, payment_id, {}, (round + 1) % 2),
      ]);
      expect(cancelled.body.debits_in_flight).toEqual(permit.outcome === 'granted' ? [payment_id] : []);
      expect(await mandates.permit(id, payment_id, { attempt: 2 })).toMatchObject({ outcome: 'refused' });
    }
  });

  it('a pause and a permit: none is granted once the mandate is PAUSED', async () => {
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const payment_id = 20_000 + id;
      await mandates.admit(id, { payment_id });
      mandates.provider.states.set(`tok_${id}`, 'paused');
      const [permit] = await Promise.all([
        mandates.permit(id, payment_id, {}, round % 2),
        mandates.callback(`tok_${id}`, 'paused').then(() => mandates.inStatus(id, 'PAUSED')),
      ]);
      const open = await mandates.rows('SELECT FROM mandate_permits WHERE payment_id = $1', payment_id);
      expect(open).toHaveLength(permit.outcome === 'granted' ? 1 : 0);
      for (const at of [0, 1])
        expect((await mandates.permit(id, payment_id, { attempt: 2 }, at)).outcome).toBe('refused');
    }
  });

  it('two authorisations: one is begun, and the other is told by whom it is held', async () => {
    for (const round of rounds) {
      const id = await mandates.create();
      const results = await Promise.all([begin(id, 8001, round % 2), begin(id, 8002, (round + 1) % 2)]);
      const won = results.findIndex(({ outcome }) => outcome === 'begun');
      expect(results[1 - won]).toMatchObject({ code: 'AUTH_IN_PROGRESS', held_by: 8001 + won });
    }
  });

  it('a beginning and an approval: begun before it, or refused after it, and approved once', async () => {
    for (const round of rounds) {
      const id = await mandates.create();
      const [result] = await Promise.all([
        begin(id, 8002, round % 2),
        mandates.authorisationFact({ mandate_id: id, payment_id: 8001 }),
      ]);
      if (result.outcome === 'refused') expect(result.code).toBe('ILLEGAL_TRANSITION');
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved']);
      expect((await begin(id, 8003, 0)).outcome).toBe('refused');
    }
  });

  it('two admissions of one order: one is admitted', async () => {
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const results = await Promise.all(
        [0, 1].map((at) => mandates.admit(id, { payment_id: 20_000 + 2 * id + at }, (round + at) % 2)),
      );
      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['admitted', 'refused']);
      expect(await admitted(id)).toHaveLength(1);
    }
  });

  it('an expiry and a permit: none is granted after the last day, and it expires once', async () => {
    const today = mandates.clock.now().toISOString().slice(0, 10);
    const id = await mandates.createApproved({ valid_to: today });
    const payment_id = 20_000 + id;
    await mandates.admit(id, { payment_id, debit_date: today });
    mandates.clock.set(`${today}T23:59:59.999+05:30`);
    const permit = mandates.permit(id, payment_id, {}, 1);
    mandates.clock.advance(1);
    const [first] = await Promise.all([permit, mandates.inStatus(id, 'EXPIRED')]);
    const granted = await mandates.rows<{ is_late: boolean }>(
      `SELECT granted_at >= $2 AS is_late FROM mandate_permits WHERE payment_id = $1`,
      payment_id,
      new Date(Date.parse(`${today}T00:00:00.000+05:30`) + DAY_MS),
    );
    expect(granted).toEqual(first.outcome === 'granted' ? [{ is_late: false }] : []);
    expect((await mandates.permit(id, payment_id, { attempt: 2 })).outcome).toBe('refused');
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'expired']);
  });
});
