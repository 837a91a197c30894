import { createTestDatabase, freePort, waitFor, type TestDatabase } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import pg from 'pg';
import { bootstrap, Log, type RunningService, type Runtime } from '../index.ts';
import { echoService, say, workLater } from '../testing/echo.service.ts';
import { PlayedBus } from '../testing/played-bus.ts';
import { TokenIssuer } from '../testing/token-issuer.ts';

describe('a service that starts and stops', () => {
  let test: TestDatabase;
  let server: pg.Client;
  beforeAll(async () => {
    test = await createTestDatabase(echoService);
    server = new pg.Client({ connectionString: test.url });
    await server.connect();
  });
  afterAll(async () => {
    await server.end();
    await test.drop();
  });

  async function start({ env, ...runtime }: Partial<Runtime>): Promise<RunningService> {
    return bootstrap(echoService, {
      transport: await TokenIssuer.create(),
      listen: false,
      log: Log.to('echo', 'silent'),
      ...runtime,
      env: { SANDBOX: 'true', ORDERS_DATABASE_URL: test.url, ...env },
    });
  }
  const connections = async () => {
    const others = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    return (await server.query(others)).rowCount;
  };
  const answersAt = (port: number) =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ status }) => status,
      () => null,
    );

  it('is not ready before it consumes, even when its bus is', async () => {
    const bus = new PlayedBus();
    const gate = Promise.withResolvers<undefined>();
    const subscribe = bus.subscribe.bind(bus);
    bus.subscribe = async (subscription) => (await gate.promise, subscribe(subscription));
    const port = await freePort();
    const starting = start({ bus, env: { OPS_PORT: String(port) } });

    expect(await waitFor(() => answersAt(port), { what: 'an answer of the ops port' })).toBe(503);
    gate.resolve(undefined);
    const service = await starting;

    expect(await answersAt(port)).toBe(200);
    await service.stop();
  });

  it('leaves no connection and no port open when it cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const opsPort = await freePort();
    const env = { PORT: String((taken.address() as AddressInfo).port), OPS_PORT: String(opsPort) };

    await expect(start({ bus: new PlayedBus(), listen: true, env })).rejects.toThrow(
      `PORT ${env.PORT} is in use`,
    );

    taken.close();
    await waitFor(async () => (await connections()) === 0, { what: 'no connection to the database' });
    expect(await answersAt(opsPort)).toBeNull();
  });

  it('publishes events that are written while it finishes its work', async () => {
    const bus = new PlayedBus();
    const service = await start({ bus });
    await server.query('BEGIN; LOCK TABLE worked');
    await workLater(service.database, randomUUID());
    await waitFor(() => service.dueWorker.inFlight === 1, { what: 'work that is held up' });

    const stopped = service.stop();
    await waitFor(() => bus.seen.includes('left'), { what: 'the group to be left' });
    await say(service.database, 'last');

    await waitFor(() => bus.published.some(({ aggregate_id }) => aggregate_id === 'last'), {
      what: 'the last event',
    });
    await server.query('COMMIT');
    await stopped;
  });
});
