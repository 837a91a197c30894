import { SERVICES } from '@fundrail/contracts';
import { identityService } from '@fundrail/identity';
import {
  ChildService,
  createTestDatabase,
  describeWithKafka,
  freePort,
  kafkaPrefix,
  testBrokers,
  waitFor,
  type TestDatabase,
} from '@fundrail/testing';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

const mainOf = (service: string) =>
  fileURLToPath(new URL(`../../apps/${service}/dist/main.js`, import.meta.url));
const READY = /^fundrail identity is ready on (\S+)$/m;
const FORM = 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret';

/** OPS-4, OPS-9: a service as a separate process, from its migrations to its end. */
describe('the life of a process', () => {
  /** Migrated as identity's. */
  let database: TestDatabase;
  const children: ChildService[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(identityService);
  });
  afterEach(() => Promise.all(children.splice(0).map((child) => child.kill())));
  afterAll(() => database.drop());

  const run = (args: string[], env: Record<string, string> = {}, service = 'identity') => {
    const child = ChildService.spawn({
      main: mainOf(service),
      args,
      ready: READY,
      env: {
        SANDBOX: 'true',
        IDENTITY_DATABASE_URL: database.url,
        KAFKA_BROKERS: undefined,
        EVENT_BUS: undefined,
        LOG_LEVEL: 'warn',
        ...env,
      },
    });
    children.push(child);
    return child;
  };
  async function endOf(child: ChildService): Promise<{ code: number | null; output: string }> {
    const { code } = await child.exited;
    return { code, output: child.output };
  }
  async function serve(env: Record<string, string> = {}): Promise<{ child: ChildService; url: URL }> {
    const child = run([], env);
    const [, url] = await waitFor(() => READY.exec(child.output), {
      limitMs: 60_000,
      what: 'the ready line',
    });
    return { child, url: new URL(url ?? '') };
  }

  /** A request without its last byte. */
  async function halfARequest(url: URL): Promise<{ finish(): Promise<string> }> {
    const socket: Socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(
      `POST /v2/auth/demo/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${FORM.length}\r\n\r\n${FORM.slice(0, -1)}`,
    );
    return {
      finish: async () => {
        socket.write(FORM.slice(-1));
        await once(socket, 'close');
        return answer;
      },
    };
  }

  describe('on a new database', () => {
    let created: TestDatabase;
    beforeEach(async () => {
      created = await createTestDatabase();
    });
    afterEach(() => created.drop());

    const endOn = (args: string[], name = 'identity') =>
      endOf(run(args, { [`${name.toUpperCase()}_DATABASE_URL`]: created.url }, name));

    it.each(SERVICES)('of %s migrates it', async (name) => {
      const migrated = { code: 0, output: `fundrail ${name} is migrated\n` };
      expect(await endOn(['migrate'], name)).toEqual(migrated);
      expect(await endOn(['migrate', '--check'], name)).toEqual(migrated);
    });

    it('checks, migrates and checks again', async () => {
      expect(await endOn(['migrate', '--check'])).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^fundrail identity is not migrated: \S.* did not run yet\n$/),
      });
      const waiting = endOn(['migrate', '--check', '--wait']);
      expect(await endOn(['migrate'])).toEqual({ code: 0, output: 'fundrail identity is migrated\n' });
      expect(await waiting).toEqual({ code: 0, output: 'fundrail identity is migrated\n' });
    });
  });

  it('lists its parked events', async () => {
    expect(await endOf(run(['events', 'parked']))).toEqual({
      code: 0,
      output: 'identity  nothing is parked\n',
    });
  });

  it.each([
    [
      ['serve'],
      {},
      2,
      /^fundrail identity has no command serve: usage: main.js \[migrate \| events \| reconcile \| restored \| keys\]\n$/,
    ],
    [[], { TRUSTED_PROXIES: 'x' }, 1, /^fundrail identity did not start: TRUSTED_PROXIES must be [^\n]*\n$/],
    [['keys'], {}, 2, /^usage: main.js keys rotate \| status\n$/],
    [
      ['keys', 'status'],
      { DATA_ENCRYPTION_KEY: 'x' },
      1,
      /^fundrail identity could not be re-encrypted: DATA_ENCRYPTION_KEY must have [^\n]*\n$/,
    ],
    [[], { PORT: 'x' }, 1, /^fundrail identity did not start: PORT must be [^\n]*\n$/],
    [
      ['migrate'],
      { EVENT_BUS: 'kafka' },
      1,
      /^fundrail identity was not migrated: KAFKA_BROKERS is [^\n]*\n$/,
    ],
  ])('ends with one line when it cannot run %j with %j', async (args, env, code, output) => {
    expect(await endOf(run(args, env))).toEqual({ code, output: expect.stringMatching(output) });
  });

  it('answers running requests after SIGTERM, exits with 0, and ignores further signals', async () => {
    const { child, url } = await serve();
    const request = await halfARequest(url);
    const exited = child.end('SIGTERM');
    await waitFor(
      () =>
        fetch(`${url.href}health/live`).then(
          () => false,
          () => true,
        ),
      {
        what: 'no new connection',
      },
    );
    void child.end('SIGTERM');
    void child.end('SIGINT');
    const answer = await request.finish();
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('reports on OPS_PORT that it is stopping, before it stops accepting requests', async () => {
    const ops = `http://127.0.0.1:${await freePort()}`;
    const { child, url } = await serve({ OPS_PORT: new URL(ops).port, DRAIN_DELAY_MS: '5000' });
    const exited = child.end('SIGTERM');
    await waitFor(async () => (await fetch(`${ops}/health/ready`)).status === 503, { everyMs: 5 });
    expect((await fetch(`${ops}/health/live`)).status).toBe(200);
    expect((await fetch(`${url.href}.well-known/jwks.json`)).status).toBe(200);
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  describeWithKafka('over Kafka', () => {
    const overKafka = () => ({ KAFKA_BROKERS: testBrokers().join(','), KAFKA_PREFIX: kafkaPrefix() });

    it('creates the topics that it checks for', async () => {
      const env = overKafka();
      expect(await endOf(run(['migrate', '--check'], env))).toMatchObject({
        code: 1,
        output: expect.stringMatching(
          /^fundrail identity is not migrated: the topics \S.* are not there yet\n$/,
        ),
      });
      expect(await endOf(run(['migrate'], env))).toEqual({
        code: 0,
        output: 'fundrail identity is migrated\n',
      });
      expect((await endOf(run(['migrate', '--check'], env))).code).toBe(0);
    });

    it('reports that Kafka does not answer', async () => {
      const env = { KAFKA_BROKERS: `127.0.0.1:${await freePort()}` };
      expect(await endOf(run(['migrate', '--check'], env))).toEqual({
        code: 1,
        output: expect.stringMatching(
          /^fundrail identity is not migrated: Kafka does not answer: \S[^\n]*\n$/,
        ),
      });
    });

    it('starts without a broker, is alive and not ready, and can be stopped', async () => {
      const ops = `http://127.0.0.1:${await freePort()}`;
      const child = run([], { OPS_PORT: new URL(ops).port, KAFKA_BROKERS: `127.0.0.1:${await freePort()}` });
      const ready = await waitFor(() => fetch(`${ops}/health/ready`), { limitMs: 60_000 });
      expect([ready.status, (await fetch(`${ops}/health/live`)).status]).toEqual([503, 200]);
      expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
    });
  });
});
