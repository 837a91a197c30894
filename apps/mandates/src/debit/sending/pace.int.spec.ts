import { istInstant } from '@fundrail/contracts';
import { onJudged } from '@fundrail/policies';
import { leaseDue } from '@fundrail/service-kit/due';
import { waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { MandatesUnderTest } from '../../testing/mandates-under-test.ts';
import { NOT_FOUND, SILENCE, YES } from '../../testing/fake-provider.ts';
import { DebitCalls } from '../debit-calls.ts';
import { SendBatch } from './send-batch.ts';
import { SendingPace } from './sending-pace.ts';

const tooMany = (retry_after_ms: number) =>
  ({ kind: 'unknown', why: 'too_many_requests', detail: 'status 429', retry_after_ms }) as const;
const heldBack = (retry_after_ms: number) =>
  ({ kind: 'unknown', why: 'not_sent', detail: 'the calls before have failed', retry_after_ms }) as const;

/** The clock stands at 2026-12-21 10:00 IST; debits that are admitted now are due on 2026-12-22 at 13:00. */
describe('the pace of debits (decision 0013)', () => {
  let mandates: MandatesUnderTest;
  afterEach(async () => {
    jest.restoreAllMocks();
    await mandates.stop();
  });

  const start = async (env: Readonly<Record<string, string>> = {}, count = 1) => {
    mandates = await MandatesUnderTest.start(count, false, env);
  };
  const bank = () => mandates.provider;
  const passUntil = (date: string, time: string) =>
    mandates.pass(istInstant(date, time).getTime() - mandates.clock.now().getTime());
  /** Debits with their notices sent, each of its own mandate. */
  const planned = async (count: number, provider = 'GATEWAYPOA'): Promise<number[]> => {
    const ids: number[] = [];
    for (let made = 0; made < count; made += 1) {
      const id = await mandates.createApproved();
      await mandates.rows('UPDATE mandates SET provider_name = $2 WHERE id = $1', id, provider);
      const payment_id = 20_000 + id;
      await mandates.admit(id, { payment_id });
      await mandates.ready(id, payment_id);
      ids.push(payment_id);
    }
    await waitFor(async () => (await inState(ids, 'planned')) === count);
    return ids;
  };
  const inState = async (ids: readonly number[], state: string) => {
    const text = 'SELECT FROM mandate_debits WHERE payment_id = ANY ($1) AND state = $2';
    return (await mandates.rows(text, ids, state)).length;
  };
  const accepted = (ids: readonly number[]) =>
    waitFor(async () => {
      mandates.service.dueWorker.wake();
      const text = `SELECT FROM debit_attempts WHERE payment_id = ANY ($1) AND state = 'accepted'`;
      return (await mandates.rows(text, ids)).length === ids.length;
    });
  const attempts = () =>
    mandates.rows<{ payment_id: number; number: number; ended_at: Date | null }>(
      'SELECT payment_id, number, ended_at FROM debit_attempts ORDER BY payment_id',
    );
  const waiting = () =>
    mandates.rows<{ kind: string; due_at: Date }>(
      "SELECT kind, due_at FROM due_work WHERE kind LIKE 'debit.execute%' ORDER BY due_at",
    );
  const dueIn = async (ms: number) =>
    (await waiting())[0]?.due_at.getTime() === mandates.clock.now().getTime() + ms;
  const paceOf = (replica: number) => {
    const running = mandates.replicas[replica];
    if (!running) throw new Error(`there is no replica ${replica}`);
    return running.app.get(SendingPace);
  };

  it('holds over two workers: no second has more calls than the limit, and each debit is sent once', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '10' }, 2);
    const arrivals: number[] = [];
    bank().onExecute = () => {
      arrivals.push(performance.now());
      return YES;
    };
    const ids = await planned(16);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => arrivals.length === 16);
    const most = Math.max(
      ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length),
    );
    // A few more can come from late calls.
    expect(most).toBeLessThanOrEqual(13);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1_200);
    expect(new Set(bank().executed.map(({ reference }) => reference)).size).toBe(16);
    await accepted(ids);
  });

  it('given the window ends, then nothing more is sent, and the rest is sent in the next one as the first attempt', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '5' });
    await planned(8);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length === 2);
    mandates.clock.advance(4 * 3_600_000);
    await waitFor(
      async () =>
        (await waiting()).length + bank().executed.length === 8 && mandates.service.dueWorker.inFlight === 0,
    );
    const sent = bank().executed.length;
    expect(sent).toBeLessThan(5);
    expect(await attempts()).toHaveLength(sent);
    const evening = istInstant('2026-12-22', '21:30');
    expect((await waiting()).map(({ due_at }) => due_at)).toEqual(
      Array.from({ length: 8 - sent }, () => evening),
    );
    await passUntil('2026-12-22', '21:30');
    await waitFor(() => bank().executed.length === 8);
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('given a 429, then no call before Retry-After is over, and then the same attempt again', async () => {
    await start();
    const arrivals: number[] = [];
    bank().onExecute = () => {
      arrivals.push(performance.now());
      return arrivals.length === 1 ? tooMany(1_500) : YES;
    };
    const [id = 0] = await planned(1);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => dueIn(1_500));
    expect([await attempts(), (await mandates.debit(id)).state]).toEqual([[], 'planned']);
    mandates.clock.advance(1_500);
    await accepted([id]);
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1_400);
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect(new Set(bank().executed.map(({ reference }) => reference)).size).toBe(1);
    expect(await attempts()).toMatchObject([{ number: 1, ended_at: null }]);
    // Its status is not queried: a 429 means that the provider did nothing.
    expect(bank().queried).toEqual([]);
  });

  it('given a 429 and a cancellation before the next attempt, then no further call and mandate_cancelled', async () => {
    await start();
    bank().onExecute = () => tooMany(200);
    const [id = 0] = await planned(1);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length === 1);
    await waitFor(async () => (await waiting()).length === 1 && (await attempts()).length === 0);
    expect((await mandates.cancel(id - 20_000)).body.debits_in_flight).toEqual([]);
    await mandates.pass(200);
    await mandates.settled();
    expect(await mandates.debit(id)).toEqual({ state: 'failed', failure_code: 'mandate_cancelled' });
    expect(bank().executed).toHaveLength(1);
  });

  it('given one replica holds back its calls, then it leases none, and another one sends them (decision 0024)', async () => {
    await start({}, 2);
    const ids = await planned(3);
    paceOf(0).closeHere('GATEWAYPOA', 2 * 86_400_000);
    const isOpen = (replica: number) => paceOf(replica).isOpen('GATEWAYPOA');
    expect([await isOpen(0), await isOpen(1)]).toEqual([false, true]);
    const [first] = mandates.replicas;
    if (!first) throw new Error('a service has at least one replica');
    const sends = jest.spyOn(first.app.get(SendBatch), 'execute');
    await passUntil('2026-12-22', '13:00');
    await accepted(ids);
    expect([sends.mock.calls.length, bank().executed.length]).toEqual([0, 3]);
  });

  it('given calls were held back, when the clock jumps past the pause, then this process sends them immediately (decision 0024)', async () => {
    await start();
    const answers = [heldBack(600_000)];
    bank().onExecute = () => answers.shift() ?? YES;
    const [id = 0] = await planned(1);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => dueIn(600_000));
    expect(await paceOf(0).isOpen('GATEWAYPOA')).toBe(false);
    mandates.clock.advance(600_000);
    await accepted([id]);
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it('has a place for a single call while batches have taken every near place', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '10' });
    const pace = paceOf(0);
    let batches = 0;
    while (await pace.reserve('GATEWAYPOA', 2)) batches += 1;
    expect(batches).toBeGreaterThan(2);
    expect(await pace.turn('GATEWAYPOA')).toBe(true);
  });

  it('gives single calls no place far ahead, which would keep batches away', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '10' });
    const pace = paceOf(0);
    // Places for four seconds; those behind the first second and a batch must come again.
    const turns = await Promise.all(Array.from({ length: 40 }, () => pace.turn('GATEWAYPOA')));
    expect(new Set(turns)).toEqual(new Set([true, false]));
  });

  it('given an attempt is sent again and stopped before its call, then it is not called, and its status is still queried', async () => {
    await start();
    bank().onExecute = () => SILENCE;
    bank().debitStatus = (debit) => {
      bank().queried.push(debit.reference);
      return Promise.resolve(NOT_FOUND);
    };
    const [id = 0] = await planned(1);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length === 1);
    await mandates.settled();
    const calls = mandates.service.app.get(DebitCalls);
    const request = calls.request.bind(calls);
    let isCancelled = false;
    jest.spyOn(calls, 'request').mockImplementation(async (both, number) => {
      const asked = await request(both, number);
      // The requests of the question come before the intent.
      const { called_at, started_at } = both.debit.attempts[0] ?? {};
      if (!isCancelled && called_at && started_at && called_at > started_at) {
        isCancelled = true;
        await mandates.cancel(id - 20_000);
        await waitFor(
          async () =>
            (await mandates.rows('SELECT FROM mandate_debits WHERE stop_code IS NOT NULL')).length > 0,
        );
      }
      return asked;
    });
    await mandates.pass(90_000);
    await waitFor(async () => (await mandates.debit(id)).state === 'failed');
    expect(isCancelled).toBe(true);
    expect(bank().executed).toHaveLength(1);
    expect(await mandates.debit(id)).toEqual({ state: 'failed', failure_code: 'mandate_cancelled' });
    expect((await waiting()).length).toBe(0);
  });

  it('of one provider delays neither another provider nor other work', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '0.05', DUE_CONCURRENCY: '1' });
    await planned(4);
    const ids = await planned(1, 'SDKVENDOR');
    await passUntil('2026-12-22', '13:00');
    await accepted(ids);
    expect(bank().executed.length).toBeLessThanOrEqual(1);
    expect(mandates.second.executed).toHaveLength(1);
  });

  it('given a batch with a lost lease, then it starts nothing, and ends no work that was planned since', async () => {
    await start();
    const [id = 0] = await planned(1);
    await mandates.service.dueWorker.stop();
    mandates.clock.set(istInstant('2026-12-22', '13:00').toISOString());
    const { app, database } = mandates.service;
    const lease = { kind: 'debit.execute.gatewaypoa', most: 9, now: await database.now() };
    const lost = await leaseDue(database, { ...lease, token: 'lost', leaseMs: -1 });
    const kept = await leaseDue(database, { ...lease, token: 'kept', leaseMs: 10_000 });
    const places = { waitMs: 0, next: () => Promise.resolve(true) };
    await app.get(SendBatch).execute(kept, places);
    const reference = `P${String(id).padStart(12, '0')}A1`;
    const status = { status: 'failed', failure_code: 'insufficient_funds', message: 'x', collected: null };
    const fact = {
      payment_id: id,
      mandate_id: id - 20_000,
      order: null,
      provider_name: 'GATEWAYPOA',
      notice: null,
    };
    await mandates.consume('payment.debit_fact', { ...fact, attempt: { reference, ...status } });
    await app.get(SendBatch).execute(lost, places);
    expect([lost.length, kept.length, bank().executed.length]).toEqual([1, 1, 1]);
    expect(await waiting()).toMatchObject([{ due_at: istInstant('2026-12-22', '21:30') }]);
  });

  it('given the window ends while a debit waits for its place, then it is not sent, and has the next window', async () => {
    await start();
    const [id = 0] = await planned(1);
    await mandates.service.dueWorker.stop();
    mandates.clock.set(istInstant('2026-12-22', '13:00').toISOString());
    const { app, database } = mandates.service;
    const lease = { kind: 'debit.execute.gatewaypoa', most: 9, now: await database.now() };
    const works = await leaseDue(database, { ...lease, token: 'waits', leaseMs: 10_000 });
    const next = async () => {
      // Longer than any read of the time that began before it.
      for (let reads = 0; reads < 3; reads += 1) await database.now();
      mandates.clock.set(istInstant('2026-12-22', '17:00').toISOString());
      return true;
    };
    await app.get(SendBatch).execute(works, { waitMs: 0, next });
    expect([works.length, bank().executed, await mandates.attempts(id)]).toEqual([1, [], []]);
    expect(await waiting()).toMatchObject([{ due_at: istInstant('2026-12-22', '21:30') }]);
  });

  it('given the investor refuses a debit that waits for its place, then it is not sent and has failed, and both are judged (DEB-21, POL-8)', async () => {
    await start();
    const judged: string[] = [];
    onJudged((policy, outcome) => {
      if (policy === 'debit_opt_out') judged.push(outcome);
    });
    const [id = 0, other = 0] = await planned(2);
    await mandates.service.dueWorker.stop();
    mandates.clock.set(istInstant('2026-12-22', '13:00').toISOString());
    const { app, database } = mandates.service;
    const lease = { kind: 'debit.execute.gatewaypoa', most: 9, now: await database.now() };
    const works = await leaseDue(database, { ...lease, token: 'waits', leaseMs: 10_000 });
    const notice = { number: 1, status: 'opted_out', proof: null, at: null, message: null };
    const fact = { payment_id: id, mandate_id: id - 20_000, order: null, provider_name: 'GATEWAYPOA' };
    const next = async () => {
      await mandates.consume('payment.debit_fact', { ...fact, attempt: null, notice });
      return true;
    };
    await app.get(SendBatch).execute(works, { waitMs: 0, next });
    expect(bank().executed).toMatchObject([{ payment_id: other }]);
    expect([works.length, await mandates.attempts(id)]).toEqual([2, []]);
    expect(await mandates.debit(id)).toEqual({ state: 'failed', failure_code: 'debit_opted_out' });
    expect(judged.sort()).toEqual(['allowed', 'refused']);
  });

  it('given a batch fails, then no further batch is started for a second', async () => {
    await start({ GATEWAYPOA_DEBITS_PER_SECOND: '4' });
    await planned(6);
    const batches: number[] = [];
    jest.spyOn(mandates.service.app.get(SendBatch), 'execute').mockImplementation(() => {
      batches.push(performance.now());
      return Promise.reject(new Error('connect ECONNREFUSED'));
    });
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => batches.length > 3);
    const pauses = batches.map((at, index) => at - (batches[index - 1] ?? at));
    expect(Math.max(...pauses)).toBeGreaterThan(900);
  });

  it('given a batch fails, then those of another provider are still counted as under way', async () => {
    await start();
    const answered = Promise.withResolvers<typeof YES>();
    mandates.second.onExecute = () => answered.promise;
    await planned(1);
    await planned(1, 'SDKVENDOR');
    await waitFor(async () => (await waiting()).length === 2);
    const batch = mandates.service.app.get(SendBatch);
    const execute = batch.execute.bind(batch);
    let failures = 0;
    jest.spyOn(batch, 'execute').mockImplementation((works, places) => {
      if (works[0]?.kind !== 'debit.execute.gatewaypoa') return execute(works, places);
      failures += 1;
      return Promise.reject(new Error('connect ECONNREFUSED'));
    });
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => failures > 0 && mandates.second.executed.length === 1);
    // A creation takes many turns of the event loop, so that work that ends with the failed batch would have ended.
    await mandates.createApproved();
    expect(mandates.service.dueWorker.inFlight).toBeGreaterThan(0);
    answered.resolve(YES);
    await waitFor(() => mandates.service.dueWorker.inFlight === 0);
  });

  it('given one of many that cannot be started, then the others are sent, and it is retried later', async () => {
    await start();
    const [bad = 0, ...good] = await planned(4);
    await waitFor(() => mandates.service.dueWorker.inFlight === 0);
    await mandates.rows(
      `UPDATE mandate_debits SET notified_at = NULL, notice_execute_at = NULL, notice_reference = NULL, notice_proof = NULL
        WHERE payment_id = $1`,
      bad,
    );
    mandates.clock.set(istInstant('2026-12-22', '13:00').toISOString());
    await accepted(good);
    await waitFor(() => dueIn(5_000));
  });
});
