import { istInstant } from '@fundrail/contracts';
import { leaseDue } from '@fundrail/service-kit/due';
import { waitFor } from '@fundrail/testing';
import type { FakeMandate } from '../../testing/fake-mandates.ts';
import { FakeProvider } from '../../testing/fake-provider.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';
import { SendBatch } from './send-batch.ts';
import { SendingPace } from './sending-pace.ts';

const tooMany = (retry_after_ms: number) =>
  ({ kind: 'unknown', why: 'too_many_requests', detail: 'status 429', retry_after_ms }) as const;
const heldBack = (retry_after_ms: number) =>
  ({ kind: 'unknown', why: 'not_sent', detail: 'the calls before have failed', retry_after_ms }) as const;
const YES = { kind: 'yes', value: null } as const;

/** The clock stands at 2026-12-21 10:00 IST; debits that are raised now are due on 2026-12-22 at 13:00. */
describe('the pace of debits (decision 0013)', () => {
  let stage: PaymentsStage;
  const replicas: PaymentsStage[] = [];
  afterEach(async () => {
    for (const replica of replicas.splice(0)) await replica.stop();
    await stage.stop();
  });

  const bank = () => stage.provider.mandates;
  const passUntil = (date: string, time: string) =>
    stage.pass(istInstant(date, time).getTime() - stage.clock.now().getTime());
  /** Debits with their notices sent. */
  const planned = async (count: number, mandate?: FakeMandate): Promise<number[]> => {
    const ids: number[] = [];
    for (let created = 0; created < count; created += 1) {
      const order = stage.neighbours.anOrder();
      const { id } = mandate ?? stage.neighbours.mandates.anApproved();
      ids.push((await stage.debit(id, order)).json<{ id: number }>().id);
      await stage.orderBecomes(order, 'submitted');
    }
    await waitFor(
      async () => (await stage.rows('SELECT 1 FROM debits WHERE planned_at IS NOT NULL')).length >= count,
    );
    return ids;
  };
  const attempts = () =>
    stage.rows<{ payment_id: number; number: number; ended_at: Date | null }>(
      'SELECT payment_id, number, ended_at FROM debit_attempts ORDER BY payment_id',
    );
  const waiting = () =>
    stage.rows<{ kind: string; due_at: Date }>(
      "SELECT kind, due_at FROM due_work WHERE kind LIKE 'debit.execute%' ORDER BY due_at",
    );

  it('holds over two workers: no second has more calls than the limit, and each debit is sent once', async () => {
    stage = await PaymentsStage.start({ GATEWAYPOA_DEBITS_PER_SECOND: '10' });
    const arrivals: number[] = [];
    bank().beforeAnswer = (call) => {
      if (call === 'execute') arrivals.push(performance.now());
      return Promise.resolve();
    };
    await planned(16);
    const other = await stage.replica();
    replicas.push(other);
    await passUntil('2026-12-22', '13:00');
    other.service.dueWorker.wake();
    await waitFor(() => arrivals.length === 16, { limitMs: 10_000 });
    const most = Math.max(
      ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + 1_000).length),
    );
    // A few more can come from late calls.
    expect(most).toBeLessThanOrEqual(13);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1_200);
    expect(new Set(bank().executed.map(({ reference }) => reference)).size).toBe(16);
    await waitFor(
      async () => (await stage.rows("SELECT 1 FROM payments WHERE status = 'SUBMITTED'")).length === 16,
    );
  });

  it('given the window ends, then nothing more is sent, and the rest is sent in the next one as the first attempt', async () => {
    stage = await PaymentsStage.start({ GATEWAYPOA_DEBITS_PER_SECOND: '5' });
    await planned(8);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length === 2);
    stage.clock.advance(4 * 3_600_000);
    await waitFor(
      async () =>
        (await waiting()).length + bank().executed.length === 8 && stage.service.dueWorker.inFlight === 0,
    );
    const sent = bank().executed.length;
    expect(sent).toBeLessThan(5);
    expect(await attempts()).toHaveLength(sent);
    expect(stage.neighbours.mandates.open.size).toBe(sent);
    const evening = istInstant('2026-12-22', '21:30');
    expect((await waiting()).map(({ due_at }) => due_at)).toEqual(
      Array.from({ length: 8 - sent }, () => evening),
    );
    await passUntil('2026-12-22', '21:30');
    await waitFor(() => bank().executed.length === 8, { limitMs: 10_000 });
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('given a 429, then no call before Retry-After is over, and then the same attempt again', async () => {
    stage = await PaymentsStage.start();
    const arrivals: number[] = [];
    bank().beforeAnswer = (call) => {
      if (call === 'execute') arrivals.push(performance.now());
      return Promise.resolve();
    };
    bank().onExecute.set(tooMany(1_500), YES);
    // Closed later, it could be the permit of the next call.
    const whenClosed: unknown[] = [];
    const [id = 0] = await planned(1);
    stage.neighbours.mandates.beforeClose = async () => void whenClosed.push(...(await attempts()));
    await passUntil('2026-12-22', '13:00');
    await waitFor(async () => (await waiting())[0]?.due_at.getTime() === stage.clock.now().getTime() + 1_500);
    expect(await attempts()).toEqual([]);
    expect(whenClosed).toMatchObject([{ payment_id: id, number: 1 }]);
    expect(stage.neighbours.mandates.open.size).toBe(0);
    expect((await stage.get(id)).status).toBe('PENDING');
    stage.clock.advance(1_500);
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(1_400);
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect(new Set(bank().executed.map(({ reference }) => reference)).size).toBe(1);
    expect(await attempts()).toMatchObject([{ number: 1, ended_at: null }]);
    // Its status is not queried: a 429 means that the provider did nothing.
    expect(bank().statusQueries).toEqual([]);
  });

  it('given a 429 and a cancellation before the next attempt, then no further call and mandate_cancelled', async () => {
    stage = await PaymentsStage.start();
    bank().onExecute.set(tooMany(200));
    const mandate = stage.neighbours.mandates.anApproved();
    const [id = 0] = await planned(1, mandate);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length === 1);
    await waitFor(async () => (await waiting()).length === 1 && (await attempts()).length === 0);
    mandate.mandate_status = 'CANCELLED';
    await stage.pass(200);
    const payment = await stage.until(id, ({ status }) => status === 'FAILED');
    expect(payment.failure_code).toBe('mandate_cancelled');
    expect(bank().executed).toHaveLength(1);
    await waitFor(() => stage.neighbours.mandates.open.size === 0);
  });

  it('given one replica holds back its calls, then it leases none, and another one sends them (decision 0024)', async () => {
    stage = await PaymentsStage.start();
    bank().onExecute.set(heldBack(600_000));
    await planned(3);
    await passUntil('2026-12-22', '13:00');
    await waitFor(() => bank().executed.length > 0);
    await waitFor(
      async () =>
        (await waiting()).length === 3 &&
        (await attempts()).length === 0 &&
        stage.service.dueWorker.inFlight === 0,
    );
    const tried = bank().executed.length;
    const healthy = await stage.replica(new FakeProvider());
    replicas.push(healthy);
    const isOpen = ({ service }: PaymentsStage) => service.app.get(SendingPace).isOpen('GATEWAYPOA');
    expect([await isOpen(stage), await isOpen(healthy)]).toEqual([false, true]);
    // Calls are still held back when the debits are due again.
    stage.service.app.get(SendingPace).closeHere('GATEWAYPOA', 1_200_000);
    stage.clock.advance(600_000);
    healthy.service.dueWorker.wake();
    await waitFor(() => healthy.provider.mandates.executed.length === 3);
    expect(bank().executed).toHaveLength(tried);
    await waitFor(
      async () => (await stage.rows("SELECT 1 FROM payments WHERE status = 'SUBMITTED'")).length === 3,
    );
  });

  it('given calls were held back, when the clock jumps past the pause, then this process sends them immediately (decision 0024)', async () => {
    stage = await PaymentsStage.start();
    bank().onExecute.set(heldBack(600_000), YES);
    const [id = 0] = await planned(1);
    await passUntil('2026-12-22', '13:00');
    await waitFor(
      async () => (await waiting())[0]?.due_at.getTime() === stage.clock.now().getTime() + 600_000,
    );
    expect(await stage.service.app.get(SendingPace).isOpen('GATEWAYPOA')).toBe(false);
    stage.clock.advance(600_000);
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
    expect(bank().executed.map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it('of one provider delays neither another provider nor other work', async () => {
    stage = await PaymentsStage.start({ GATEWAYPOA_DEBITS_PER_SECOND: '0.05', DUE_CONCURRENCY: '1' });
    await planned(4);
    const [id = 0] = await planned(1, stage.neighbours.mandates.anApproved({ provider_name: 'SDKVENDOR' }));
    await passUntil('2026-12-22', '13:00');
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
    expect(bank().executed.length).toBeLessThanOrEqual(1);
    expect(stage.sdkvendor.mandates.executed).toHaveLength(1);
  });

  it('given a batch with a lost lease, then it starts nothing, and ends no work that was planned since', async () => {
    stage = await PaymentsStage.start();
    const [id = 0] = await planned(1);
    await stage.service.dueWorker.stop();
    stage.clock.advance(istInstant('2026-12-22', '13:00').getTime() - stage.clock.now().getTime());
    const { app, database } = stage.service;
    const lease = { kind: 'debit.execute.gatewaypoa', most: 9, now: await database.now() };
    const lost = await leaseDue(database, { ...lease, token: 'lost', leaseMs: -1 });
    const kept = await leaseDue(database, { ...lease, token: 'kept', leaseMs: 10_000 });
    const places = { waitMs: 0, next: () => Promise.resolve(true) };
    await app.get(SendBatch).execute(kept, places);
    const attempt_reference = `P${String(id).padStart(12, '0')}A1`;
    const failed = { status: 'failed', failure_code: 'insufficient_funds', message: 'x' } as const;
    const fact = { about: 'debit', attempt_reference, payment: failed } as const;
    await stage.report({ reference: `P${String(id).padStart(12, '0')}`, fact });
    await app.get(SendBatch).execute(lost, places);
    expect([lost.length, kept.length, bank().executed.length]).toEqual([1, 1, 1]);
    expect(await waiting()).toMatchObject([{ due_at: istInstant('2026-12-22', '21:30') }]);
  });

  it('includes debits that were planned before there was a pace', async () => {
    stage = await PaymentsStage.start();
    const [id = 0] = await planned(1);
    await stage.rows("UPDATE due_work SET kind = 'debit.execute' WHERE kind LIKE 'debit.execute%'");
    await passUntil('2026-12-22', '13:00');
    await stage.until(id, ({ status }) => status === 'SUBMITTED');
  });

  it('given mandates gives no answer, then no further batch is started for a second', async () => {
    stage = await PaymentsStage.start({ GATEWAYPOA_DEBITS_PER_SECOND: '4' });
    await planned(6);
    const requests: number[] = [];
    stage.neighbours.mandates.beforePermit = () => {
      requests.push(performance.now());
      return Promise.reject(new Error('connect ECONNREFUSED'));
    };
    await passUntil('2026-12-22', '13:00');
    await waitFor(async () => (await attempts()).length > 3, { limitMs: 10_000 });
    const pauses = requests.map((at, index) => at - (requests[index - 1] ?? at));
    expect(Math.max(...pauses)).toBeGreaterThan(900);
  });

  it('given a batch that cannot be permitted, then those of another provider are still counted as under way', async () => {
    stage = await PaymentsStage.start();
    const mandate = stage.neighbours.mandates.anApproved();
    await planned(1, mandate);
    await planned(1, stage.neighbours.mandates.anApproved({ provider_name: 'SDKVENDOR' }));
    await waitFor(async () => (await waiting()).length === 2);
    const answered = Promise.withResolvers<void>();
    stage.sdkvendor.mandates.beforeAnswer = () => answered.promise;
    stage.neighbours.mandates.beforePermit = ({ mandate_id }) =>
      mandate_id === mandate.id ? Promise.reject(new Error('connect ECONNREFUSED')) : Promise.resolve();
    await passUntil('2026-12-22', '13:00');
    await stage.untilRows('SELECT 1 FROM debit_attempts WHERE uncalled');
    await waitFor(() => stage.sdkvendor.mandates.executed.length === 1);
    // A creation takes many turns of the event loop, so that work that ends with the failed batch would have ended.
    await planned(1, stage.neighbours.mandates.anApproved());
    expect(stage.service.dueWorker.inFlight).toBeGreaterThan(0);
    answered.resolve();
    await waitFor(() => stage.service.dueWorker.inFlight === 0);
  });

  it('given one of many that cannot be started, then the others are sent, and it is retried later', async () => {
    stage = await PaymentsStage.start();
    const [bad = 0, ...good] = await planned(4);
    // A second `debit.notify` of the submitted order may still be due, and would send another notice.
    await stage.rows("DELETE FROM due_work WHERE kind = 'debit.notify'");
    await waitFor(() => stage.service.dueWorker.inFlight === 0);
    await stage.rows(
      'UPDATE debits SET notified_at = NULL, told_execute_at = NULL, notice_reference = NULL, notice_proof = NULL WHERE payment_id = $1',
      bad,
    );
    stage.clock.advance(istInstant('2026-12-22', '13:00').getTime() - stage.clock.now().getTime());
    for (const id of good) await stage.until(id, ({ status }) => status === 'SUBMITTED');
    await waitFor(async () => (await waiting())[0]?.due_at.getTime() === stage.clock.now().getTime() + 5_000);
  });
});
