import { freePort, WebhookReceiver, type ReceivedWebhook } from '@fundrail/testing';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { paid, playEverything, type Ending } from './testing/everything.ts';
import { PatientBuyer } from './testing/patient-buyer.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';

/** Each named place of the code that the ways of `playEverything` pass. */
const FAULT_POINTS = [
  'orders.create.before_commit',
  'orders.create.committed',
  'orders.change.before_commit',
  'orders.change.committed',
  'orders.cancel.before_commit',
  'orders.cancel.committed',
  'orders.claim.before_commit',
  'orders.claim.committed',
  'orders.release.before_commit',
  'orders.release.committed',
  'orders.review.before_call',
  'orders.review.called',
  'orders.submit.before_call',
  'orders.submit.called',
  'orders.facts.before_commit',
  'orders.facts.committed',
  'orders.callback.before_commit',
  'orders.callback.committed',
  'payments.id_drawn',
  'payments.claimed',
  'payments.created',
  'payments.uri_requested',
  'payments.uri_answered',
  'payments.uri_issued',
  'payments.ending_begun',
  'payments.cancel_answered',
  'payments.transfer_started',
  'payments.transfer_answered',
  'payments.transfer_applied',
  'payments.refund_answered',
  'payments.refund_applied',
  'payments.callback_applied',
  'outbox.published',
  'inbox.handled',
  'inbox.committed',
  'webhook.sent',
];
const RANDOM_MOMENTS = 50;

describe('kill -9', () => {
  let dataDir: string;
  let port: string;
  let receiver: WebhookReceiver;
  let product: StandaloneProcess;
  let buyer: PatientBuyer;

  const start = async (faultPoint?: string) => {
    const faults = faultPoint ? { FAULT_POINT: faultPoint } : {};
    // A short lease: what a killed process held is taken up again within a second, not ten.
    const env = { PORT: port, DUE_LEASE_MS: '1000', ...faults };
    product = await StandaloneProcess.start({ dataDir, env, faults: faultPoint !== undefined });
  };

  beforeAll(async () => {
    [dataDir, receiver, port] = await Promise.all([
      newDataDir(),
      WebhookReceiver.start(),
      freePort().then(String),
    ]);
    await start();
    buyer = await PatientBuyer.of(await product.client());
    await buyer.listen(receiver);
  });
  afterAll(async () => {
    await Promise.all([product.stop(), receiver.stop()]);
    await removeDataDir(dataDir);
  });

  it.each(FAULT_POINTS)('at %s leaves nothing undone, and does nothing twice', async (faultPoint) => {
    await product.stop();
    await start(faultPoint);
    const everything = playEverything(buyer);
    expect(await product.child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await start();
    await buyer.letTimePass('PT2M');
    for (const ending of await everything) await expectEnding(ending);
  });

  it(`at ${RANDOM_MOMENTS} random moments leaves nothing undone, and does nothing twice`, async () => {
    const endings: Promise<Ending>[] = [];
    for (let moment = 0; moment < RANDOM_MOMENTS; moment++) {
      endings.push(paid(buyer));
      await pause(randomInt(500));
      await product.kill();
      await start();
    }
    await buyer.letTimePass('PT2M');
    for (const ending of await Promise.all(endings)) await expectEnding(ending);
  }, 600_000);

  async function expectEnding({ order, state, payment }: Ending): Promise<void> {
    expect((await buyer.orderOf(order))['state']).toBe(state);
    const made = await buyer.paymentsOf(order);
    const living = made.filter(({ status }) => status !== 'FAILED').map(({ id, status }) => ({ id, status }));
    expect(living).toEqual(payment && payment.status !== 'FAILED' ? [payment] : []);
    await expectWebhooks(order.id, `mf_purchase.${state}`);
    if (payment?.status === 'APPROVED') await expectWebhooks(payment.id, 'payment.approved');
  }

  /** The last event has come at least once, each event of a kind under one id only, and all with our signature. */
  async function expectWebhooks(objectId: unknown, last: string): Promise<void> {
    await receiver.next((hook) => isAbout(hook, objectId) && hook.body.type === last, {
      limitMs: 30_000,
      what: `${last} of ${String(objectId)}`,
    });
    const ids = new Map<string, Set<string>>();
    for (const hook of receiver.received.filter((received) => isAbout(received, objectId))) {
      expect([hook.body.type, hook.verified]).toEqual([hook.body.type, true]);
      // `payment.updated` comes once for each change; the others once in an object's life.
      if (hook.body.type !== 'payment.updated')
        ids.set(hook.body.type, (ids.get(hook.body.type) ?? new Set()).add(hook.webhook_id));
    }
    expect([...ids].filter(([, ofType]) => ofType.size > 1)).toEqual([]);
  }
});

function isAbout(hook: ReceivedWebhook, objectId: unknown): boolean {
  return hook.body.data.object['id'] === objectId;
}
