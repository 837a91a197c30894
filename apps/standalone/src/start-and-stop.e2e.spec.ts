import { SERVICES } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
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

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('npm start', () => {
  let dataDir: string;
  const running: StandaloneProcess[] = [];
  const start = async (env?: Record<string, string>) => {
    const standalone = await StandaloneProcess.start({ dataDir, ...(env && { env }) });
    running.push(standalone);
    return standalone;
  };

  beforeEach(async () => (dataDir = await newDataDir()));
  afterEach(async () => {
    await Promise.all(running.splice(0).map((standalone) => standalone.stop()));
    await removeDataDir(dataDir);
  });

  it('says that it is ready in its last line, and is', async () => {
    const standalone = await start();
    expect(standalone.child.output.trimEnd().split('\n').at(-1)).toBe(
      `fundrail is ready on ${standalone.url}`,
    );
    expect((await fetch(`${standalone.url}/health/ready`)).status).toBe(200);
    const metrics = await (await fetch(`${standalone.url}/metrics`)).text();
    const told = [...metrics.matchAll(/^fundrail_outbox_lag_seconds{service="(\w+)"} /gm)].map(
      ([, name]) => name,
    );
    expect(told.sort()).toEqual(SERVICES.toSorted());
    expect(metrics.match(/^process_cpu_seconds_total /gm)).toHaveLength(1);
  });

  it('is there within 10 s the first time and 5 s later', async () => {
    const first = await timed(() => start());
    await first.value.stop();
    const second = await timed(() => start());
    expect([first.ms < 10_000, second.ms < 5_000]).toEqual([true, true]);
  });

  it('stops when the process of npm start is ended, as a supervisor ends it', async () => {
    const standalone = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    standalone.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await waitFor(() => / is ready on (\S+)/.exec(output)?.[1], { limitMs: 30_000 });
    standalone.kill('SIGTERM');
    const isGone = () =>
      fetch(`${url}/health/live`).then(
        () => false,
        () => true,
      );
    expect(await waitFor(isGone, { what: 'the end of what npm start has started' })).toBe(true);
  });

  it('stops at SIGTERM with exit code 0 within 10 s, its database too', async () => {
    const standalone = await start();
    const { value, ms } = await timed(() => standalone.stop());
    expect(value).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(10_000);
    await expect(readFile(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('refuses a folder that another one uses, in one line, and leaves that one alone', async () => {
    const standalone = await start();
    const second = await StandaloneProcess.startToFail({ dataDir });
    expect(second.code).toBe(1);
    expect(second.output).toBe(
      `fundrail did not start: another fundrail (process ${standalone.child.pid}) is running on DATA_DIR ${dataDir}\n`,
    );
    expect((await fetch(`${standalone.url}/health/ready`)).status).toBe(200);
  });

  it('says in one line that its port is taken', async () => {
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

  it('refuses to go on outside the sandbox without its secrets, naming one', async () => {
    const { code, output } = await StandaloneProcess.startToFail({ dataDir, env: { SANDBOX: 'false' } });
    expect(code).toBe(1);
    expect(output).toMatch(/[A-Z_]+_(KEY|SECRET) is required/);
    expect(output.trimEnd().split('\n')).toHaveLength(1);
  });

  it('goes on after kill -9 where it was: nothing lost, the left-over database ended', async () => {
    const before = await start();
    const client = await before.client();
    const [waiting, paid] = [await payableOrder(client), await payableOrder(client)];
    const payment = await payablePayment(client, [paid]);
    const reviewing = await createOrder(client);
    await before.kill();

    const after = await start();
    const again = await after.client();
    await untilOrder(again, reviewing, 'pending');
    const next = Number(ok(await requestPayment(again, [waiting])).body['id']);
    expect(next).toBeGreaterThan(payment);
    ok(await again.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
    await untilOrder(again, paid, 'successful');
    await untilPayment(again, payment, 'APPROVED');
  });

  it('finishes at SIGTERM the request that runs', async () => {
    const standalone = await start();
    const client = await standalone.client();
    const answers = Array.from({ length: 20 }, () => createOrder(client));
    const stopped = standalone.stop();
    const results = await Promise.allSettled(answers);
    expect(await stopped).toEqual({ code: 0, signal: null });
    const cutOff = results.filter(
      (result) => result.status === 'rejected' && !/ECONNREFUSED|fetch failed/.test(String(result.reason)),
    );
    expect(cutOff).toEqual([]);
  });

  it('keeps its memory below 300 MB without the database', async () => {
    const standalone = await start();
    const client = await standalone.client();
    await Promise.all(Array.from({ length: 50 }, () => payableOrder(client)));
    const status = await waitFor(() => readFile(`/proc/${standalone.child.pid}/status`, 'utf8'));
    const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    expect(megabytes).toBeLessThan(300);
  });
});

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
}
