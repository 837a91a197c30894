import { istTimestamp } from '@fundrail/contracts';
import { appendEvents, InProcessBus } from '@fundrail/messaging';
import { waitFor } from '@fundrail/testing';
import { scheduleDue } from '../due.ts';
import { ServiceTokens } from '../http/auth/service-tokens.ts';
import { SANDBOX_SECRETS } from '../config/sandbox-secrets.ts';
import { interference } from '../testing/notes.service.ts';
import { startNotes, type NotesStage } from '../testing/start-notes.ts';

const JSON_BODY = { 'content-type': 'application/json' };

describe('the life of a service', () => {
  let stage: NotesStage;
  beforeAll(async () => {
    stage = await startNotes({ bus: new InProcessBus({ groups: ['orders'] }), listen: true });
  });
  afterAll(() => stage.end());

  const internal = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const authorization = await new ServiceTokens('simulator', SANDBOX_SECRETS.SERVICE_TOKEN_SECRET).header();
    return stage.service.fastify.inject({
      method,
      url,
      headers: { authorization, ...(body ? JSON_BODY : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    });
  };

  it('listens, and is ready with its relay', async () => {
    const answer = await fetch(`${stage.service.url ?? ''}/health/ready`);
    expect(await answer.json()).toMatchObject({
      status: 'ok',
      database: 'ok',
      event_bus: 'ok',
      relay: { unpublished: 0 },
    });
  });

  it('tells the sandbox what moves, and when the next step is', async () => {
    const { database } = stage.service;
    const due = new Date((await database.now()).getTime() + 3_600_000);
    await database.transaction((tx) =>
      scheduleDue(tx, { kind: 'nobody', key: 'k', tenant: 'demo', due_at: due }),
    );
    const before = encodeURIComponent(istTimestamp(new Date(due.getTime() + 1)));
    const quiet = await internal('GET', `/internal/sandbox/quiet?before=${before}`);
    expect(quiet.json()).toMatchObject({
      due: 0,
      unpublished: 0,
      in_flight: 0,
      earliest_due_at: istTimestamp(due),
    });
    expect((await internal('GET', '/internal/sandbox/quiet')).json()).toMatchObject({
      earliest_due_at: null,
    });
  });

  it('counts the events that it published and consumed', async () => {
    const { database } = stage.service;
    await database.transaction((tx) =>
      appendEvents(tx, [
        {
          id: 'evt_1',
          type: 'payment.pending',
          version: 1,
          tenant: 'demo',
          aggregate_id: '1',
          sequence: 1,
          occurred_at: tx.now,
          data: '{}',
          traceparent: null,
        },
      ]),
    );
    await waitFor(async () => {
      const counts: { published: number } = (await internal('GET', '/internal/sandbox/quiet')).json();
      return counts.published === 1;
    });
  });

  it('moves business time forward, never back, for a neighbour only', async () => {
    const { database, fastify } = stage.service;
    const forward = await internal('POST', '/internal/sandbox/clock', { offset_ms: 86_400_000 });
    expect(forward.json()).toMatchObject({ offset_ms: 86_400_000 });
    expect((await database.now()).getTime() - Date.now()).toBeGreaterThan(86_000_000);
    expect((await internal('POST', '/internal/sandbox/clock', { offset_ms: 5 })).statusCode).toBe(400);
    expect((await internal('POST', '/internal/sandbox/clock', { offset_ms: -5 })).statusCode).toBe(400);
    const stranger = await fastify.inject({
      method: 'POST',
      url: '/internal/sandbox/clock',
      headers: { authorization: await stage.issuer.header({ scope: 'admin' }) },
    });
    expect(stranger.statusCode).toBe(401);
  });

  it('has no sandbox routes outside the sandbox', async () => {
    const secrets = { SERVICE_TOKEN_SECRET: 's'.repeat(32), DATA_ENCRYPTION_KEY: 'd'.repeat(32) };
    const real = await stage.replica({ listen: false, env: { SANDBOX: 'false', ...secrets } });
    const header = await new ServiceTokens('simulator', secrets.SERVICE_TOKEN_SECRET).header();
    const answer = await real.fastify.inject({
      url: '/internal/sandbox/quiet',
      headers: { authorization: header },
    });
    await real.stop();
    expect(answer.statusCode).toBe(404);
  });

  it('finishes the request that runs when it is stopped, and takes no new one', async () => {
    const replica = await stage.replica({ listen: true });
    const begun = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    interference.beforeCommit = () => (begun.resolve(undefined), gate.promise);
    const url = replica.url ?? '';
    const running = fetch(`${url}/v2/notes`, {
      method: 'POST',
      headers: { authorization: await stage.issuer.header(), ...JSON_BODY },
      body: '{"words":"last","amount":1}',
    });
    await begun.promise;
    const stopped = replica.stop();
    await waitFor(
      () =>
        fetch(`${url}/health/live`).then(
          () => false,
          () => true,
        ),
      { what: 'no new connection' },
    );
    interference.beforeCommit = null;
    gate.resolve(undefined);
    expect((await running).status).toBe(200);
    await stopped;
  });

  it('leaves nothing open when it cannot start', async () => {
    await expect(stage.replica({ env: { PORT: 'x' } })).rejects.toThrow('PORT must be');
  });
});
