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
import { describeProducts, describeStandalone } from '../testing/products.ts';

const DEMO = fileURLToPath(new URL('../../../apps/standalone/dist/demo/main.js', import.meta.url));

async function runDemo(baseUrl: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: baseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO, ...args], { env });
  return stdout;
}

const WELL = expect.stringContaining('All of it ended where it should.') as string;

// The suite of the containers plays the whole demo against separate services.
describeProducts('npm run demo', (start) => {
  it('shows collect, the hosted page and an SDK checkout, which are not part of the whole', async () => {
    const product = await start();
    try {
      for (const flow of ['collect', 'page', 'sdk'])
        expect([flow, await runDemo(product.url, '--flow', flow)]).toEqual([flow, WELL]);
    } finally {
      await product.stop();
    }
  });
});

/** Two whole demos, each of which moves the clock by months, on busy machines. */
const TWICE_LIMIT_MS = 600_000;

describeStandalone('npm run demo, in full (OPS-18)', (start) => {
  it(
    'ends well twice on one product, and leaves no webhook behind',
    async () => {
      const product = await start();
      try {
        for (const run of [1, 2]) expect([run, await runDemo(product.url)]).toEqual([run, WELL]);
        const client = await product.client();
        expect((await client.get('/v2/notification_webhooks')).body['data']).toEqual([]);
      } finally {
        await product.stop();
      }
    },
    TWICE_LIMIT_MS,
  );
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
    const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: '', TMPDIR: temporary };
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
