import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeProducts } from '../testing/products.ts';

const DEMO = fileURLToPath(new URL('../../dist/demo/main.js', import.meta.url));

async function runDemo(baseUrl: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: baseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [DEMO, ...args], { env });
  return stdout;
}

describeProducts('npm run demo', (start) => {
  it('shows collect, the hosted page and an SDK checkout', async () => {
    const product = await start();
    try {
      for (const flow of ['collect', 'page', 'sdk'])
        expect([flow, await runDemo(product.url, '--flow', flow)]).toEqual([
          flow,
          expect.stringContaining('All of it ended where it should.'),
        ]);
    } finally {
      await product.stop();
    }
  });

  it('ends well twice on one product, and leaves no webhook behind', async () => {
    const product = await start();
    try {
      for (const run of [1, 2])
        expect([run, await runDemo(product.url)]).toEqual([
          run,
          expect.stringContaining('All of it ended where it should.'),
        ]);
      const client = await product.client();
      expect((await client.get('/v2/notification_webhooks')).body['data']).toEqual([]);
    } finally {
      await product.stop();
    }
  });
});

describe('npm run demo, on a machine where nothing runs', () => {
  it('starts a product of its own when none answers, and stops it', async () => {
    const output = await runDemo('http://127.0.0.1:1');
    const [, url = ''] = /A buyer app at (\S+)/.exec(output) ?? [];
    await expect(fetch(`${url}/health/live`)).rejects.toThrow('fetch failed');
  });
});
