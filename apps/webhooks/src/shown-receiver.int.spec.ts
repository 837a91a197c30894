import { describeWithPython, freePort, pythonEnvironment } from '@fundrail/testing';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretBytes, webhookSignatures } from './notification-webhook/webhook-secret.ts';
import { ShownReceiver, urlAt, type Interpreter } from './testing/shown-receiver.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const REQUIREMENTS = fileURLToPath(
  new URL('../../../tools/webhook-receiver/requirements.txt', import.meta.url),
);
/** Where it has to come from the registry first. */
const INSTALL_LIMIT_MS = 120_000;
const TAKEN = 204;
const REFUSED = 400;

function takesWhatIsSigned(interpreter: () => Interpreter): void {
  it('takes what is signed with its secret, through a rotation, once each, and refuses the rest', async () => {
    // given
    const stage = await WebhooksStage.start();
    const port = await freePort();
    const endpoint = await stage.endpoint(urlAt(port));
    const receiver = await ShownReceiver.start(interpreter(), endpoint.secret, port);
    // when
    const event = await stage.publish();
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    await stage.send({ method: 'POST', url: `/v2/notification_webhooks/${endpoint.id}/rotate_secret` });
    const second = await stage.publish();
    await stage.delivery(endpoint, (one) => one.event === second.id && one.status === 'delivered');
    // then
    const line = `${event.type} nwh_1`;
    expect(receiver.linesOf(event.type)).toEqual([line, line]);
    // and: by hand
    const body = `{"id":"${event.id}","type":"${event.type}","data":{"object":{"amount":1001.0000,"name":"Ünïcödé"}}}`;
    const now = Math.floor(Date.now() / 1000);
    const post = (secret: string, over: { readonly body?: string; readonly at?: number } = {}) => {
      const timestamp = over.at ?? now;
      const signature = webhookSignatures([secretBytes(secret)], { id: event.id, timestamp, body });
      const headers = { 'webhook-id': event.id, 'webhook-timestamp': String(timestamp) };
      return receiver.post(over.body ?? body, { ...headers, 'webhook-signature': signature });
    };
    expect([
      await post(endpoint.secret),
      await post(`whsec_${'A'.repeat(43)}=`),
      await post(endpoint.secret, { body: body.replace('1001.0000', '1001') }),
      await post(endpoint.secret, { at: now - 600 }),
    ]).toEqual([TAKEN, REFUSED, REFUSED, REFUSED]);
    expect(receiver.linesOf(event.type)).toHaveLength(2);
    await receiver.stop();
    await stage.end();
  });
}

describe('the TypeScript of docs/webhooks.md', () => {
  takesWhatIsSigned(() => ({
    language: 'ts',
    command: process.execPath,
    args: ['--input-type=module-typescript', '--eval'],
  }));
});

describeWithPython('the Python of docs/webhooks.md', () => {
  let commands = '';
  beforeAll(async () => {
    commands = await pythonEnvironment('webhook-receiver', REQUIREMENTS);
  }, INSTALL_LIMIT_MS);
  takesWhatIsSigned(() => ({ language: 'python', command: join(commands, 'python'), args: ['-c'] }));
});
