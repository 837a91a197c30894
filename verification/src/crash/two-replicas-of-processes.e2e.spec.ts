import { SERVICES } from '@fundrail/contracts';
import { readAllEvents } from '@fundrail/messaging/testing';
import { describeWithKafka, testBrokers, waitFor, WebhookReceiver } from '@fundrail/testing';
import { audit } from '../testing/crash/audit.ts';
import { Buyer } from '../testing/crash/buyer.ts';
import { auditTrail } from '../testing/crash/event-audit.ts';
import { readInboxes, readOutboxes } from '../testing/crash/event-trail.ts';
import { LEADERS } from '../testing/crash/leaders.ts';
import * as walks from '../testing/crash/walks.ts';
import { PatientFleet } from '../testing/chaos/patient-fleet.ts';
import { whatIsOpen } from '../testing/chaos/settle.ts';
import { Fleet } from '../testing/fleet/fleet.ts';
import { ok } from '../testing/purchase.ts';

const LIMIT_MS = 6 * 60_000;
/** Twenty processes run on a small machine. If they were polled too often, they would do nothing else. */
const ASK_EVERY_MS = 250;
const WALKS = [
  walks.paid,
  walks.declinedThenPaid,
  walks.twoOrdersInOnePayment,
  walks.paymentCancelledThenPaid,
  walks.paidTooLate,
  walks.registrarRefused,
  walks.refusedAfterTheClaim,
] as const;

describeWithKafka('two processes of every service on one database each, over Kafka', () => {
  let fleet: Fleet;
  let product: PatientFleet;
  let receiver: WebhookReceiver;
  const buyers: Buyer[] = [];

  beforeAll(async () => {
    const two = Object.fromEntries(SERVICES.map((name) => [name, 2]));
    const databaseUrl = process.env['DATABASE_URL'] ?? '';
    fleet = await Fleet.start({ databaseUrl, brokers: testBrokers(), replicas: two });
    product = new PatientFleet(fleet);
    receiver = await WebhookReceiver.start();
    const webhook = { url: receiver.url, event: '*' };
    const { body } = ok(await newBuyer().client.post('/v2/notification_webhooks', webhook));
    receiver.secret = String(body['secret']);
  }, LIMIT_MS);
  afterAll(async () => {
    product.end();
    await fleet.stop();
    await receiver.stop();
  }, LIMIT_MS);

  function newBuyer(): Buyer {
    const buyer = new Buyer(product, LIMIT_MS, ASK_EVERY_MS);
    buyers.push(buyer);
    return buyer;
  }
  const leaders = async () =>
    (await fleet.databases.everywhere<{ leaders: number }>(LEADERS)).map((row) => row.leaders);
  async function findings() {
    const { databases, kafkaPrefix: prefix } = fleet;
    await waitFor(async () => (await whatIsOpen(databases)).length === 0, {
      limitMs: LIMIT_MS,
      what: 'quiet',
    });
    const log = await readAllEvents({ brokers: testBrokers(), clientId: 'audit', prefix });
    const [outbox, inboxes] = await Promise.all([readOutboxes(databases), readInboxes(databases)]);
    return [...(await audit(databases, buyers, receiver)), ...auditTrail({ outbox, log, inboxes })];
  }

  it(
    'share the work without a doubled effect, with one leading relay',
    async () => {
      await Promise.all([...WALKS, ...WALKS].map((walk) => walk(newBuyer())));
      expect(await leaders()).toEqual(SERVICES.map(() => 1));
      expect(await findings()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'go on when one of the two is stopped and the other killed, one service after the other',
    async () => {
      const walked = Promise.all(WALKS.map((walk) => walk(newBuyer())));
      for (const name of ['orders', 'payments', 'webhooks'] as const) {
        await fleet.replica(name, 0).restart();
        await fleet.replica(name, 1).kill();
        await fleet.replica(name, 1).start();
      }
      await walked;
      expect(await findings()).toEqual([]);
    },
    LIMIT_MS,
  );
});
