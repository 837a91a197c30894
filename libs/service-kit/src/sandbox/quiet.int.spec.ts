import { appendEvents, takeFromInbox } from '@fundrail/messaging';
import { waitFor } from '@fundrail/testing';
import type { z } from 'zod';
import { SANDBOX_SECRETS } from '../config/sandbox-secrets.ts';
import { scheduleDue } from '../due.ts';
import { ServiceTokens } from '../http/auth/service-tokens.ts';
import type { RunningService } from '../index.ts';
import { PlayedBus } from '../testing/played-bus.ts';
import { startNotes, type NotesStage } from '../testing/start-notes.ts';
import { BUS_IS_EMPTY, type quietAnswer } from './sandbox.controller.ts';

const event = (id: string, sequence: number) => ({
  id,
  type: 'payment.pending' as const,
  version: 1,
  tenant: 'demo',
  aggregate_id: '1',
  sequence,
  data: '{}',
  traceparent: null,
});

describe('the sandbox state of a service with two replicas', () => {
  let bus: PlayedBus;
  let stage: NotesStage;
  let other: RunningService;
  beforeEach(async () => {
    bus = new PlayedBus();
    stage = await startNotes({ bus });
    other = await stage.replica();
  });
  afterEach(async () => {
    await other.stop();
    await stage.end();
  });

  const ask = async (
    { fastify }: RunningService,
    query = '',
    more: Readonly<Record<string, string>> = {},
  ): Promise<z.output<typeof quietAnswer>> => {
    const tokens = new ServiceTokens('simulator', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET);
    const headers = { authorization: await tokens.header(), ...more };
    return (await fastify.inject({ url: `/internal/sandbox/quiet${query}`, headers })).json();
  };
  const append = (service: RunningService, id: string, sequence: number) =>
    service.database.transaction((tx) => appendEvents(tx, [{ ...event(id, sequence), occurred_at: tx.now }]));

  it('is the same from each replica, no matter which has done the work', async () => {
    const before = await ask(stage.service);
    await append(other, 'evt_1', 1);
    await waitFor(() => bus.published.length === 1);
    await waitFor(async () => (await ask(stage.service)).unpublished === 0);
    const [one, two] = [await ask(stage.service), await ask(other)];
    expect(two).toEqual(one);
    expect(one.last_written).not.toBe(before.last_written);
  });

  it('counts work that the other replica holds until it is done', async () => {
    const started = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    other.dueWorker.addHandler({
      kind: 'slow',
      handle: async () => {
        started.resolve(undefined);
        await gate.promise;
        return 'done';
      },
    });
    await other.database.transaction((tx) =>
      scheduleDue(tx, { kind: 'slow', key: 'k', tenant: 'demo', due_at: tx.now }),
    );
    await started.promise;
    expect((await ask(stage.service)).due).toBe(1);
    gate.resolve(undefined);
    await waitFor(async () => (await ask(stage.service)).due === 0);
  });

  it('names up to five due works of the requested tenant, earliest first, and none of another', async () => {
    await stage.service.database.transaction(async (tx) => {
      for (const number of [6, 5, 4, 3, 2, 1])
        await scheduleDue(tx, {
          ...{ kind: 'unhandled', key: String(number), tenant: 'demo' },
          due_at: new Date(tx.now.getTime() - 60_000 + number),
        });
      await scheduleDue(tx, { kind: 'unhandled', key: 'theirs', tenant: 'other', due_at: tx.now });
      await scheduleDue(tx, {
        ...{ kind: 'unhandled', key: 'later', tenant: 'other' },
        due_at: new Date(tx.now.getTime() + 60_000),
      });
    });
    expect((await ask(stage.service, '?tenant=demo')).objects).toEqual(
      [1, 2, 3, 4, 5].map((number) => `unhandled ${number}`),
    );
    expect((await ask(other, '?tenant=other')).objects).toEqual(['unhandled theirs']);
    expect((await ask(other)).objects).toEqual([]);
  });

  it('separates hourly retries of questions that were answered from those that were not (CLOCK-12)', async () => {
    const at = new Date((await stage.service.database.now()).getTime() + 3_600_000);
    const insert = (key: string, attempts: number, unchanged: boolean, hours: number) =>
      stage.service.database.query(
        {
          name: 'test.retried',
          text: `INSERT INTO due_work (kind, key, tenant, due_at, attempts, unchanged) VALUES ('unhandled', $1, 'demo', $2, $3, $4)`,
        },
        [key, new Date(at.getTime() + hours * 3_600_000), attempts, unchanged],
      );
    const hours = async () => {
      const before = new Date(at.getTime() + 10 * 3_600_000).toISOString();
      const found = await ask(other, `?before=${before}`);
      return [found.earliest_due_at, found.earliest_unanswered_at, found.earliest_planned_at].map(
        (time) => time && (new Date(time).getTime() - at.getTime()) / 3_600_000,
      );
    };
    await insert('answered', 4, true, 1);
    expect(await hours()).toEqual([1, null, null]);
    await insert('unanswered', 4, false, 2);
    expect(await hours()).toEqual([1, 2, null]);
    await insert('answered early', 3, true, 1.5);
    expect(await hours()).toEqual([1, 1.5, 1.5]);
  });

  it('counts events on the bus, and shows that an event was consumed', async () => {
    bus.waiting = 2;
    expect((await ask(stage.service)).unconsumed).toBe(2);
    bus.waiting = 0;
    const before = await ask(other);
    await stage.service.database.query({
      name: 'test.consume',
      text: `INSERT INTO inbox (consumer_group, event_id) VALUES ('orders', 'evt_9')`,
    });
    const after = await ask(other);
    expect([after.unconsumed, after.last_consumed === before.last_consumed]).toEqual([0, false]);
  });

  it('does not ask the bus for a caller who knows that it is empty', async () => {
    const known = { [BUS_IS_EMPTY]: 'true' };
    const expected = await ask(stage.service);
    bus.unconsumed = () => Promise.reject(new Error('the bus was asked'));
    expect(await ask(stage.service, '', known)).toEqual(expected);
  });

  it('includes the effect of an event that was consumed just before the bus reported none', async () => {
    const before = await ask(stage.service);
    bus.unconsumed = async () => {
      await other.database.transaction(async (tx) => {
        await takeFromInbox(tx, 'orders', 'evt_consumed_meanwhile');
        await scheduleDue(tx, { kind: 'unhandled', key: 'k', tenant: 'demo', due_at: tx.now });
      });
      return 0;
    };
    const after = await ask(stage.service);
    expect(after).toMatchObject({ unconsumed: 0, due: before.due + 1 });
    expect(after.last_consumed).not.toBe(before.last_consumed);
  });
});

describe('the sandbox state of a service without a bus', () => {
  it('has no events on their way: what it writes waits for ever', async () => {
    const stage = await startNotes({ bus: null });
    await stage.service.database.transaction((tx) =>
      appendEvents(tx, [{ ...event('evt_1', 1), occurred_at: tx.now }]),
    );
    const tokens = new ServiceTokens('simulator', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET);
    const headers = { authorization: await tokens.header() };
    const answer = await stage.service.fastify.inject({ url: '/internal/sandbox/quiet', headers });
    expect(answer.json()).toMatchObject({ unpublished: 0, unconsumed: 0 });
    await stage.end();
  });
});
