import { istTimestamp } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { waitFor } from '@fundrail/testing';
import { scheduleDue } from '../due.ts';
import type { RunningService } from '../index.ts';
import { ServiceTokens } from '../http/auth/service-tokens.ts';
import { SANDBOX_SECRETS } from '../config/sandbox-secrets.ts';
import { interference } from '../testing/notes.service.ts';
import { PlayedBus } from '../testing/played-bus.ts';
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

  it('reports to the sandbox what runs, and when the next step is due', async () => {
    const { database } = stage.service;
    const due = new Date((await database.now()).getTime() + 3_600_000);
    await database.transaction((tx) =>
      scheduleDue(tx, { kind: 'unhandled', key: 'k', tenant: 'demo', due_at: due }),
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

  it('moves business time forward, never back, and only for another service (CLOCK-2)', async () => {
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

  it('has no sandbox routes outside the sandbox (SAND-1)', async () => {
    const secrets = {
      SERVICE_TOKEN_SECRET: 'a service token secret of this spec',
      DATA_ENCRYPTION_KEY: 'a data encryption key of this spec',
    };
    const real = await startNotes({ env: { SANDBOX: 'false', ...secrets } });
    const header = await new ServiceTokens('simulator', secrets.SERVICE_TOKEN_SECRET).header();
    const answer = await real.service.fastify.inject({
      url: '/internal/sandbox/quiet',
      headers: { authorization: header },
    });
    await real.end();
    expect(answer.statusCode).toBe(404);
  });

  /** A request to the replica that has started, and continues after `letGo`. */
  async function heldRequest(replica: RunningService) {
    const started = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    interference.beforeCommit = () => (started.resolve(undefined), gate.promise);
    const status = fetch(`${replica.url ?? ''}/v2/notes`, {
      method: 'POST',
      headers: { authorization: await stage.issuer.header(), ...JSON_BODY },
      body: '{"words":"last","amount":1}',
    }).then((answer) => answer.status);
    await started.promise;
    const letGo = () => {
      interference.beforeCommit = null;
      gate.resolve(undefined);
    };
    return { status, letGo };
  }

  it('finishes a running request when it is stopped, and takes no new one', async () => {
    const bus = new PlayedBus();
    const replica = await stage.replica({ bus, listen: true });
    const url = replica.url ?? '';
    const request = await heldRequest(replica);
    const stopped = replica.stop();
    await waitFor(
      () =>
        fetch(`${url}/health/live`).then(
          () => false,
          () => true,
        ),
      { what: 'no new connection' },
    );
    // A request leaves work for the consumers and the relay, so they continue.
    expect(bus.seen).toEqual(['subscribed']);
    request.letGo();
    expect(await request.status).toBe(200);
    await stopped;
  });

  it('leaves its group in time although a request takes longer, and still answers the request', async () => {
    const bus = new PlayedBus();
    const replica = await stage.replica({ bus, listen: true });
    const request = await heldRequest(replica);
    const stopped = replica.stop();
    await waitFor(() => bus.seen.includes('left'), { what: 'the group to be left' });
    request.letGo();
    expect(await request.status).toBe(200);
    await stopped;
  });

  it('asks clients to close connections from the first moment of a stop, and takes requests for DRAIN_DELAY_MS more', async () => {
    // Both requests below have to come in this time, on a busy machine too.
    const replica = await stage.replica({ listen: true, env: { DRAIN_DELAY_MS: '3000', OPS_PORT: '0' } });
    const [url, opsUrl] = [replica.url ?? '', replica.opsUrl ?? ''];
    expect((await fetch(`${opsUrl}/health/ready`)).status).toBe(200);
    const stopped = replica.stop();
    expect((await fetch(`${opsUrl}/health/ready`)).status).toBe(503);
    const answer = await fetch(`${url}/v2/notes/7`, {
      headers: { authorization: await stage.issuer.header() },
    });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
    await expect(fetch(`${url}/v2/notes/7`)).rejects.toThrow();
    await expect(fetch(`${opsUrl}/health/live`)).rejects.toThrow();
  });

  it('answers health on OPS_PORT, and then not on PORT (OPS-10)', async () => {
    const replica = await stage.replica({ listen: true, env: { OPS_PORT: '0' } });
    const statuses = await Promise.all(
      [
        `${replica.opsUrl}/health/live`,
        `${replica.opsUrl}/health/ready`,
        `${replica.opsUrl}/other`,
        `${replica.url}/health/live`,
      ].map(async (url) => (await fetch(url)).status),
    );
    await replica.stop();
    expect(statuses).toEqual([200, 200, 404, 404]);
  });

  it('serves before it has joined the bus, and is ready only afterwards', async () => {
    const bus = new PlayedBus();
    bus.setHealth({ ready: false });
    const replica = await stage.replica({ bus, listen: true, env: { OPS_PORT: '0' } });
    let isReady = false;
    const ready = replica.ready().then(() => (isReady = true));
    expect((await fetch(`${replica.opsUrl}/health/ready`)).status).toBe(503);
    expect(isReady).toBe(false);
    bus.setHealth({});
    await ready;
    expect((await fetch(`${replica.opsUrl}/health/ready`)).status).toBe(200);
    await replica.stop();
  });

  it('leaves its group before it stops, and keeps the bus that it was given open', async () => {
    const bus = new PlayedBus();
    const replica = await stage.replica({ bus });
    await replica.stop();
    expect(bus.seen.filter((what) => what !== 'left')).toEqual(['subscribed']);
    expect(bus.seen).toContain('left');
  });

  it('leaves nothing open when it cannot start', async () => {
    await expect(stage.replica({ env: { PORT: 'x' } })).rejects.toThrow('PORT must be');
  });
});
