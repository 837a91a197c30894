import { SERVICES } from '@fundrail/contracts';
import { COMPILED, waitFor } from '@fundrail/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createOrder,
  ok,
  payableOrder,
  payablePayment,
  requestPayment,
  untilOrder,
  untilPayment,
} from './testing/purchase.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const own = (name: string) => `a secret of this test alone for its ${name}`;
const OWN_SECRETS = {
  ...{
    DATA_ENCRYPTION_KEY: own('data'),
    SERVICE_TOKEN_SECRET: own('service'),
    ADMIN_CLIENT_SECRET: own('admin'),
  },
  ...{ GATEWAYPOA_API_KEY: own('api'), GATEWAYPOA_WEBHOOK_SECRET: own('gateway') },
  ...{ SDKVENDOR_KEY_ID: 'rzp_live_0123456789', SDKVENDOR_KEY_SECRET: own('vendor') },
  SDKVENDOR_WEBHOOK_SECRET: own('vendor webhooks'),
  GATEWAYPOA_BASE_URL: 'https://gateway.example.com',
};

/** With 60 MB of code and the rest of a process this stays below 300 MB; V8 ends a process that needs more. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=128' };

describe('npm start', () => {
  /** One folder for all tests: a new one costs more than all else in a start. */
  let dataDir: string;
  /** The last that was started on it. */
  let last: StandaloneProcess | null = null;
  beforeAll(async () => (dataDir = await newDataDir()));
  afterAll(async () => {
    await last?.stop();
    await removeDataDir(dataDir);
  });

  /** The product that an earlier test has left running, or a new one. A test may end it. */
  const running = async () => {
    if (last === null || last.child.hasExited)
      last = await StandaloneProcess.start({ dataDir, env: SMALL_HEAP });
    return last;
  };
  /** Frees the folder for a start of the test's own. */
  const noneRunning = () => last?.stop();

  it('prints in one line that its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await StandaloneProcess.startToFail({ dataDir, env: { PORT: String(port) } });
    other.close();
    expect([code, output.split('\n').length, output]).toEqual([
      1,
      2,
      expect.stringContaining(`PORT ${port} is in use`),
    ]);
  });

  it.each([
    ['PORT', 'eighty'],
    ['SANDBOX', 'maybe'],
    ['EVENT_BUS', 'rabbit'],
    ['DATABASE_URL', 'nonsense'],
  ])('names %s when it is wrong, in one line', async (name, value) => {
    const { code, output } = await StandaloneProcess.startToFail({ dataDir, env: { [name]: value } });
    expect([code, output.split('\n').length, output]).toEqual([
      1,
      2,
      expect.stringContaining(`${name} must be`),
    ]);
  });

  it.each([
    ['DATA_DIR', '/etc/hosts', 'DATA_DIR /etc/hosts must be a folder in which fundrail may write'],
    [
      'DATABASE_URL',
      'postgres://me:hunter2@127.0.0.1:9/postgres',
      'DATABASE_URL postgres://me:***@127.0.0.1:9/fundrail_identity cannot be reached: nothing listens there',
    ],
    ['HOST', '192.0.2.1', 'HOST 192.0.2.1'],
    ['PUBLIC_BASE_URL', 'https://pay.example/?a=1', 'PUBLIC_BASE_URL must be an address without a query'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of'],
    ['CAPTURE_BURST', '0', 'CAPTURE_BURST must be a number from 1'],
  ])('names %s when it cannot be %s, in one line (OPS-7)', async (name, value, line) => {
    await noneRunning();
    const { code, output } = await StandaloneProcess.startToFail({ dataDir, env: { [name]: value } });
    expect([code, output.split('\n').length]).toEqual([1, 2]);
    expect(output).toContain(`fundrail did not start: ${line}`);
    expect(output).not.toContain('hunter2');
  });

  it('refuses to start outside the sandbox without its secrets, naming one (SAND-1, OPS-6)', async () => {
    await noneRunning();
    const { code, output } = await StandaloneProcess.startToFail({ dataDir, env: { SANDBOX: 'false' } });
    expect(code).toBe(1);
    expect(output).toMatch(/[A-Z_]+_(KEY|SECRET) is required/);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
  });

  it('refuses to turn a sandbox into production, prints what to do instead, and that works', async () => {
    // given a sandbox that had a key of its own, so that everything in it can be read
    const { DATA_ENCRYPTION_KEY } = OWN_SECRETS;
    const [sandbox, another] = [join(dataDir, 'sandbox'), join(dataDir, 'another')];
    await (await StandaloneProcess.start({ dataDir: sandbox, env: { DATA_ENCRYPTION_KEY } })).stop();
    const env = { ...OWN_SECRETS, SANDBOX: 'false', PUBLIC_BASE_URL: 'https://pay.example.com' };
    // when
    const { code, output } = await StandaloneProcess.startToFail({ dataDir: sandbox, env });
    // then
    expect([code, output.trimEnd().split('\n').length]).toEqual([1, 1]);
    expect(output).toMatch(/SANDBOX=false is refused: .* a sandbox's .*give a new database, by DATA_DIR/);
    const product = await StandaloneProcess.start({ dataDir: another, env });
    await expect(product.operator())
      .rejects.toThrow()
      .finally(() => product.stop());
  });

  it('stops when the process of npm start is ended, as a supervisor ends it', async () => {
    await noneRunning();
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: {
        ...{ ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILED },
        ...{ DATABASE_URL: '', PORT: '0', DATA_DIR: dataDir },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    npm.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await waitFor(() => / is ready on (\S+)/.exec(output)?.[1], { limitMs: 60_000 });
    const ended = once(npm, 'close');
    npm.kill('SIGTERM');
    const isGone = () =>
      fetch(`${url}/health/live`).then(
        () => false,
        () => true,
      );
    expect(await waitFor(isGone, { what: 'the end of what npm start has started' })).toBe(true);
    await ended;
  });

  it('prints that it is ready in its last line, and is ready (OPS-1, OPS-3)', async () => {
    await noneRunning();
    const standalone = await running();
    expect(standalone.child.output.trimEnd().split('\n').at(-1)).toBe(
      `fundrail is ready on ${standalone.url}`,
    );
    expect((await fetch(`${standalone.url}/health/ready`)).status).toBe(200);
    const metrics = await (await fetch(`${standalone.url}/metrics`)).text();
    const measured = [...metrics.matchAll(/^fundrail_outbox_lag_seconds{service="(\w+)"} /gm)].map(
      ([, name]) => name,
    );
    expect(measured.sort()).toEqual(SERVICES.toSorted());
    expect(metrics.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
  });

  it('refuses a folder that another one uses, in one line, and does not disturb that one (OPS-5)', async () => {
    const standalone = await running();
    const second = await StandaloneProcess.startToFail({ dataDir });
    expect(second.code).toBe(1);
    expect(second.output).toBe(
      `fundrail did not start: another fundrail (process ${standalone.child.pid}) is running on DATA_DIR ${dataDir}\n`,
    );
    expect((await fetch(`${standalone.url}/health/ready`)).status).toBe(200);
  });

  it('continues after kill -9: nothing is lost, and the left-over database is ended (OPS-5)', async () => {
    const before = await running();
    const client = await before.client();
    const [waiting, paid] = [await payableOrder(client), await payableOrder(client)];
    const payment = await payablePayment(client, [paid]);
    const reviewing = await createOrder(client);
    await before.kill();

    const again = await (await running()).client();
    await untilOrder(again, reviewing, 'pending');
    const next = Number(ok(await requestPayment(again, [waiting])).body['id']);
    expect(next).toBeGreaterThan(payment);
    ok(await again.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await untilOrder(again, paid, 'successful');
    await untilPayment(again, payment, 'APPROVED');
  });

  it('needs no more than 128 MB of heap for all services with 50 orders under way', async () => {
    const standalone = await running();
    const client = await standalone.client();
    await Promise.all(Array.from({ length: 50 }, () => payableOrder(client)));
    expect(standalone.child.hasExited).toBe(false);
  });

  it('stops at SIGTERM with exit code 0, its database too, and finishes the request that runs', async () => {
    const standalone = await running();
    const client = await standalone.client();
    const answers = Array.from({ length: 20 }, () => createOrder(client));
    const stopped = standalone.stop();
    const results = await Promise.allSettled(answers);
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(standalone.child.output).toMatch(/^fundrail has stopped; npm start continues from here$/m);
    await expect(readFile(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
    const cutOff = results.filter(
      (result) => result.status === 'rejected' && !/ECONNREFUSED|fetch failed/.test(String(result.reason)),
    );
    expect(cutOff).toEqual([]);
  });
});
