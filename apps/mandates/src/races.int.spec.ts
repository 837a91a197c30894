import type { AuthorisationResult, DebitResults } from '@fundrail/contracts';
import { timesOf } from '@fundrail/testing';
import { setImmediate as turn } from 'node:timers/promises';
import { MandatesUnderTest } from './testing/mandates-under-test.ts';
import { anAdmission, DAY_MS } from './testing/mandate.builder.ts';

const ROUNDS = timesOf('RACE_ROUNDS');
const rounds = Array.from({ length: ROUNDS }, (_, index) => index);
/**
 * In every tenth round the first one ends before the second starts, and in another tenth the other way round, so that both orders
 * occur.
 */
const APART = 10;

/** Two instances on one PostgreSQL, called over HTTP. Concurrent work must have one definite order, which the answers show. */
describe('simultaneous requests at two instances', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start(2, true);
  });
  afterAll(() => mandates.stop());

  /** Runs both, with the first or the second ahead by some turns of the event loop, each at another instance. */
  async function together<A, B>(
    round: number,
    one: (at: number) => Promise<A>,
    other: (at: number) => Promise<B>,
  ): Promise<[A, B]> {
    const at = Math.floor(round / 2) % 2;
    const lead = round % 2 === 0;
    if (round % APART === 0) return [await one(at), await other(1 - at)];
    if (round % APART === 1) {
      const second = await other(1 - at);
      return [await one(at), second];
    }
    const late = async <T>(act: () => Promise<T>): Promise<T> => {
      for (let turns = 0; turns < (round % 7) * 3; turns += 1) await turn();
      return act();
    };
    const ahead = <T>(act: () => Promise<T>, isLate: boolean) => (isLate ? late(act) : act());
    return Promise.all([ahead(() => one(at), !lead), ahead(() => other(1 - at), lead)]);
  }

  const begin = async (mandate_id: number, payment_id: number, at: number) => {
    const asked = { tenant: 'demo', mandate_id, payment_id, replaces: [] };
    return (await mandates.internal<AuthorisationResult>('/authorisations', asked, at)).body;
  };
  const admitted = (id: number) => mandates.rows('SELECT FROM mandate_debits WHERE mandate_id = $1', id);
  /** An approved mandate with a debit that is due. Both instances may execute it. */
  const debited = async (body: object = {}): Promise<{ id: number; payment_id: number }> => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE', ...body });
    // After an approval the provider is asked once: before the test changes its state there.
    await mandates.settled();
    return { id, payment_id: 20_000 + id };
  };

  it('a cancel and an admission: admitted before it, or refused after it', async () => {
    const seen = new Set<string>();
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const payment_id = 20_000 + id;
      const [cancelled, result] = await together(
        round,
        (at) => mandates.cancel(id, { at }),
        (at) => mandates.admit(id, { payment_id }, at),
      );
      seen.add(result.outcome);
      expect([cancelled.status, cancelled.body.debits_in_flight]).toEqual([200, []]);
      expect(await admitted(id)).toHaveLength(result.outcome === 'admitted' ? 1 : 0);
      if (result.outcome === 'refused') expect(result.code).toBe('MANDATE_NOT_APPROVED');
      await mandates.settled();
      if (result.outcome === 'admitted')
        expect(await mandates.debit(payment_id)).toEqual({
          state: 'failed',
          failure_code: 'mandate_cancelled',
        });
    }
    expect([...seen].sort()).toEqual(['admitted', 'refused']);
  });

  it('a cancel and an attempt: begun and listed as in flight, or not begun and not listed', async () => {
    const seen = new Set<string>();
    for (const round of rounds) {
      const { id, payment_id } = await debited();
      const [cancelled, outcome] = await together(
        round,
        (at) => mandates.cancel(id, { at }),
        async (at) => {
          await mandates.due(id, payment_id);
          return mandates.execute(payment_id, at);
        },
      );
      seen.add(outcome);
      expect(cancelled.body.debits_in_flight).toEqual(outcome === 'attempted' ? [payment_id] : []);
      await mandates.settled();
      expect(await mandates.attempts(payment_id)).toEqual(outcome === 'attempted' ? [1] : []);
      if (outcome !== 'attempted')
        expect(await mandates.debit(payment_id)).toEqual({
          state: 'failed',
          failure_code: 'mandate_cancelled',
        });
    }
    expect([...seen].sort()).toEqual(['attempted', 'not attempted']);
  });

  it('a pause and an attempt: none is begun once the provider has its answer, and it is PAUSED in the end', async () => {
    const seen = new Set<string>();
    for (const round of rounds) {
      const { id, payment_id } = await debited();
      mandates.provider.states.set(`tok_${id}`, 'paused');
      const [atAnswer, outcome] = await together(
        round,
        async (at) => {
          const { status } = await mandates.callback(`tok_${id}`, 'paused', `pause ${id}`, 'good', at);
          expect(status).toBe(200);
          return mandates.attempts(payment_id);
        },
        async (at) => {
          await mandates.due(id, payment_id);
          return mandates.tried(payment_id, at);
        },
      );
      await mandates.inStatus(id, 'PAUSED');
      await mandates.settled();
      const begun = await mandates.attempts(payment_id);
      seen.add(begun.length > 0 ? 'attempted' : 'not attempted');
      expect(outcome).toBe(begun.length > 0 ? 'attempted' : 'not attempted');
      // What was begun was begun before the answer.
      expect(begun).toEqual(atAnswer);
    }
    expect([...seen].sort()).toEqual(['attempted', 'not attempted']);
  });

  it('two debits of one order: one is admitted, and the other’s refusal contains the holder', async () => {
    const seen = new Set<number>();
    for (const round of rounds) {
      const id = await mandates.createApproved();
      const payments = [20_000 + 2 * id, 20_001 + 2 * id] as const;
      const results = await together(
        round,
        (at) => mandates.admit(id, { payment_id: payments[0] }, at),
        (at) => mandates.admit(id, { payment_id: payments[1] }, at),
      );
      const won = results.findIndex(({ outcome }) => outcome === 'admitted');
      seen.add(won);
      expect(results[1 - won]).toMatchObject({ code: 'PAYMENT_ALREADY_EXISTS', held_by: payments[won] });
      expect(await admitted(id)).toHaveLength(1);
    }
    expect([...seen].sort()).toEqual([0, 1]);
  });

  it('two groups of debits of the same orders: one of each order is admitted, and the other’s refusal contains the holder', async () => {
    const ids = [await mandates.createApproved(), await mandates.createApproved()];
    const seen = new Set<number>();
    for (const round of rounds) {
      const orders = [0, 1, 2, 3].map((order) => 10_000 + 4 * round + order);
      // The second group has the orders, and so the mandates, the other way round.
      const groups = ([1, 2] as const).map((group) => {
        const debits = orders.map((old_id) =>
          anAdmission({ mandate_id: ids[old_id % 2] ?? 0, payment_id: group * 1_000_000 + old_id, old_id }),
        );
        return group === 1 ? debits : debits.reverse();
      });
      const admitAll = async (group: number, at: number) => {
        const body = { debits: groups[group] };
        return (await mandates.internal<DebitResults>('/debits/batch', body, at)).body.results;
      };
      const [one, other] = await together(
        round,
        (at) => admitAll(0, at),
        (at) => admitAll(1, at),
      );
      for (const [index, old_id] of orders.entries()) {
        const results = [one[index], other[orders.length - 1 - index]];
        const won = results.findIndex((result) => result?.outcome === 'admitted');
        seen.add(won);
        const held_by = (won + 1) * 1_000_000 + old_id;
        expect(results[1 - won]).toMatchObject({ code: 'PAYMENT_ALREADY_EXISTS', held_by });
      }
    }
    expect([...seen].sort()).toEqual([0, 1]);
    for (const id of ids) expect(await admitted(id)).toHaveLength(2 * ROUNDS);
  });

  it('two authorisations: one is started, and the other’s refusal contains the holder', async () => {
    for (const round of rounds) {
      const id = await mandates.create();
      const results = await together(
        round,
        (at) => begin(id, 8001, at),
        (at) => begin(id, 8002, at),
      );
      const won = results.findIndex(({ outcome }) => outcome === 'begun');
      expect(results[1 - won]).toMatchObject({ code: 'AUTH_IN_PROGRESS', held_by: 8001 + won });
    }
  });

  it('an approval and a cancel: refused before it, or cancelled after it and revoked at the provider', async () => {
    const seen = new Set<number>();
    for (const round of rounds) {
      const id = await mandates.create();
      const [, cancelled] = await together(
        round,
        () => mandates.authorisationFact({ mandate_id: id, payment_id: 8001 }),
        (at) => mandates.cancel(id, { at }),
      );
      seen.add(cancelled.status);
      expect([200, 409]).toContain(cancelled.status);
      const isCancelled = cancelled.status === 200;
      expect((await mandates.get(id)).mandate_status).toBe(isCancelled ? 'CANCELLED' : 'APPROVED');
      await mandates.settled();
      const revoked = mandates.provider.revoked.filter(({ token }) => token === `tok_${id}`);
      expect(revoked).toHaveLength(isCancelled ? 1 : 0);
      expect(await mandates.eventsOf(id)).toEqual([
        'created',
        'approved',
        ...(isCancelled ? ['cancelled'] : []),
      ]);
    }
    expect([...seen].sort()).toEqual([200, 409]);
  });

  it('a start and an approval: started before it, or refused after it, and approved once', async () => {
    for (const round of rounds) {
      const id = await mandates.create();
      const [result] = await together(
        round,
        (at) => begin(id, 8002, at),
        () => mandates.authorisationFact({ mandate_id: id, payment_id: 8001 }),
      );
      if (result.outcome === 'refused') expect(result.code).toBe('ILLEGAL_TRANSITION');
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved']);
      expect((await begin(id, 8003, 0)).outcome).toBe('refused');
    }
  });

  it('an expiry and an attempt: none is begun after the last day, and it expires once', async () => {
    const seen = new Set<string>();
    for (const round of rounds) {
      // Attempts of earlier rounds have no result: each jump of the clock would ask about all of them.
      await mandates.rows(`DELETE FROM due_work WHERE kind = 'debit.status'`);
      mandates.toBusinessHours();
      const { today } = mandates;
      const { id, payment_id } = await debited({ valid_to: today });
      const midnight = Date.parse(`${today}T00:00:00.000+05:30`) + DAY_MS;
      mandates.clock.set(new Date(midnight - 2).toISOString());
      // Admitted before the race: after the expiry, an admission would be refused.
      await mandates.due(id, payment_id, 1);
      const [outcome] = await together(
        round,
        (at) => {
          if (mandates.clock.now().getTime() < midnight - 1) mandates.clock.advance(1);
          return mandates.execute(payment_id, at);
        },
        async () => {
          mandates.clock.set(new Date(midnight).toISOString());
          await mandates.inStatus(id, 'EXPIRED');
        },
      );
      await mandates.settled();
      const begun = await mandates.rows<{ is_late: boolean }>(
        'SELECT started_at >= $2 AS is_late FROM debit_attempts WHERE payment_id = $1',
        payment_id,
        new Date(midnight),
      );
      // An attempt that was begun before the last day's end and not called by then is put off: it does not count, and no call follows.
      const called = mandates.provider.executed.filter((debit) => debit.payment_id === payment_id);
      expect(begun).toEqual(called.map(() => ({ is_late: false })));
      if (outcome === 'not attempted') expect(called).toEqual([]);
      seen.add(called.length > 0 ? 'attempted' : 'not attempted');
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'expired']);
    }
    expect([...seen].sort()).toEqual(['attempted', 'not attempted']);
  });
});
