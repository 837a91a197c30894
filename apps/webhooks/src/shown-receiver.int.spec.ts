import { waitFor } from '@fundrail/testing';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const ROOT = new URL('../../../', import.meta.url);

/** The receiver that docs/webhooks.md shows, run as it stands there. */
class ShownReceiver {
  output = '';

  private constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    readonly url: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  static async start(secret: string, port: number): Promise<ShownReceiver> {
    const page = await readFile(new URL('docs/webhooks.md', ROOT), 'utf8');
    const [, code] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    if (code === undefined) throw new Error('docs/webhooks.md shows no TypeScript');
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', code], {
      cwd: ROOT,
      env: { WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ShownReceiver(child, `http://127.0.0.1:${port}/`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill();
    await ended;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the TypeScript of docs/webhooks.md', () => {
  it('takes what is signed with its secret, through a rotation, and refuses the rest', async () => {
    // given
    const stage = await WebhooksStage.start();
    const port = await freePort();
    const endpoint = await stage.endpoint(`http://127.0.0.1:${port}/`);
    const receiver = await ShownReceiver.start(endpoint.secret, port);
    const answers = async (init?: RequestInit) => (await fetch(receiver.url, init).catch(() => null))?.status;
    await waitFor(async () => (await answers()) === 400, { limitMs: 20_000 });
    // when
    const event = await stage.publish();
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/rotate_secret` });
    const second = await stage.publish();
    await stage.delivery(endpoint, (one) => one.event === second.id && one.status === 'delivered');
    // then
    await waitFor(() => receiver.output.split('\n').length === 3);
    expect(receiver.output).toBe(`${event.type} nwh_1\n${event.type} nwh_1\n`);
    const forged = { 'webhook-id': event.id, 'webhook-timestamp': '1', 'webhook-signature': 'v1,forged' };
    expect(await answers({ method: 'POST', headers: forged, body: '{}' })).toBe(400);
    await receiver.stop();
    await stage.end();
  });
});
