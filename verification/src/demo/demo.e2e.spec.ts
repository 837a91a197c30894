import { COMPILED, describeWithKafka, timesOf } from '@fundrail/testing';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFleet } from '../testing/open-products.ts';
import { describeStandalone, type Product } from '../testing/products.ts';

const DEMO = fileURLToPath(new URL('../../../apps/standalone/dist/demo/main.js', import.meta.url));

/** Whole demos on one product, each of which moves the clock by months. */
const DEMOS = timesOf('WHOLE_DEMOS');

/** `BASE_URL`, and the compiled code of earlier processes. */
const environment = (baseUrl: string) => ({
  ...{ ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: COMPILED },
  BASE_URL: baseUrl,
});

async function runDemo(baseUrl: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO, ...args], {
    env: environment(baseUrl),
  });
  return stdout;
}

const WELL = expect.stringContaining('All of it ended where it should.') as string;

async function expectFlowsToEndWell(product: Product): Promise<void> {
  for (const flow of ['collect', 'page', 'sdk'])
    expect([flow, await runDemo(product.url, '--flow', flow)]).toEqual([flow, WELL]);
}

// The suite of the containers plays the whole demo against separate services.
describeWithKafka('npm run demo, as processes over Kafka', () => {
  it('shows collect, the hosted page and an SDK checkout, which are not part of the whole', async () => {
    const product = await startFleet({});
    await expectFlowsToEndWell(product).finally(() => product.stop());
  });
});

/** Whole demos, on busy machines. */
const WHOLE_LIMIT_MS = 600_000;

describeStandalone('npm run demo, in full (OPS-18)', (start) => {
  let product: Product;
  beforeAll(async () => {
    product = await start();
  });
  afterAll(() => product.stop());

  it(
    'ends well each time on one product, and leaves no webhook behind',
    async () => {
      for (let run = 1; run <= DEMOS; run += 1)
        expect([run, await runDemo(product.url)]).toEqual([run, WELL]);
      const client = await product.client();
      expect((await client.get('/v2/notification_webhooks')).body['data']).toEqual([]);
    },
    WHOLE_LIMIT_MS,
  );

  it('shows collect, the hosted page and an SDK checkout, which are not part of the whole', () =>
    expectFlowsToEndWell(product));
});

describe('npm run demo, with no product', () => {
  let temporary: string;
  beforeEach(async () => (temporary = await mkdtemp(join(tmpdir(), 'demo-spec-'))));
  afterEach(() => rm(temporary, { recursive: true, force: true }));

  it.each([['--flow', 'bogus'], ['--flows']])('refuses %s %s before it starts anything', async (...args) => {
    await expect(runDemo('', ...args)).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]+; see npm run demo -- --help\n$/),
    });
  });

  it('starts a product of its own, prints that, and stops it', async () => {
    const output = await runDemo('', '--flow', 'collect');
    const [, url = ''] = /A buyer app at (\S+)/.exec(output) ?? [];
    expect(output).toContain('a product is started for this demo alone');
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });

  it.each([
    ['is interrupted', (demo: ChildProcess) => void demo.kill('SIGINT')],
    ['has lost its reader', (demo: ChildProcess) => void demo.stdout?.destroy()],
  ])('leaves nothing behind when it %s', async (_, interrupt) => {
    const env = { ...environment(''), TMPDIR: temporary };
    const demo = spawn(process.execPath, [DEMO], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(demo, 'exit');
    for await (const line of createInterface({ input: demo.stdout })) {
      const [, url] = /A buyer app at (\S+)/.exec(line) ?? [];
      if (!url) continue;
      interrupt(demo);
      await ended;
      await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
      break;
    }
    expect(await readdir(temporary)).toEqual([]);
  });

  it('uses no other product than the named one', async () => {
    const other = createServer((_, response) => void response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await expect(runDemo(`http://127.0.0.1:${port}`)).rejects.toThrow(
        `nothing at http://127.0.0.1:${port} is ready`,
      );
    } finally {
      other.close();
    }
  });
});
