import { describeWithPython, freePort, pythonEnvironment } from '@fundrail/testing';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretBytes, webhookSignatures } from './notification-webhook/webhook-secret.ts';
import { ShownReceiver, urlAt, type Interpreter } from './testing/shown-receiver.ts';
import { VerificationStage } from './testing/verification-stage.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const REQUIREMENTS = fileURLToPath(
  new URL('../../../tools/webhook-receiver/requirements.txt', import.meta.url),
);
/** For an installation from the registry. */
const INSTALL_LIMIT_MS = 120_000;
const TAKEN = 204;
const REFUSED = 400;

function takesWhatIsSigned(interpreter: () => Interpreter): void {
  it('accepts each event signed with its secret once, also through a rotation, and refuses others', async () => {
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
    // and: without webhooks
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

  it('answers the challenge of a tenant whose endpoints are verified, and does not treat it as an event', async () => {
    // given: the first challenge was sent before it listened
    const stage = await VerificationStage.start();
    stage.verifies('demo', true);
    const port = await freePort();
    const endpoint = await stage.webhooks.endpoint(urlAt(port));
    await stage.until(endpoint, 'demo', 'pending_verification', /the connection was refused/);
    const receiver = await ShownReceiver.start(interpreter(), endpoint.secret, port);
    // when
    await stage.verify(endpoint, 'demo');
    // then
    await stage.until(endpoint, 'demo', 'verified');
    const event = await stage.webhooks.publish();
    await stage.webhooks.delivery(endpoint, ({ status }) => status === 'delivered');
    expect(receiver.linesOf('notification_webhook.')).toEqual([`${event.type} nwh_1`]);
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
