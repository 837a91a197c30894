import { describeWithKafka, waitFor } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from '../testing/api-client.ts';
import { finish } from '../testing/crash/walks.ts';
import { aDebitUnanswered } from '../testing/degradation/debit-unanswered.cases.ts';
import { DegradationStage, IN_FLIGHT, RECOVERY } from '../testing/degradation/degradation-stage.ts';
import { aProviderAway } from '../testing/degradation/provider-away.cases.ts';
import { inTime, refusalOf, UNAVAILABLE, whileAway } from '../testing/degradation/while-away.ts';
import { ok } from '../testing/purchase.ts';

const START_LIMIT_MS = 240_000;
const WALK_LIMIT_MS = 240_000;
const PAYMENTS = '/api/pg/payments';

/** One part after the other of a running product is stopped and started again. No process is restarted for it. */
describeWithKafka('the product as processes, while a part of it is away', () => {
  let stage: DegradationStage;
  let client: ApiClient;
  beforeAll(async () => {
    stage = await DegradationStage.open();
    client = await stage.fleet.client();
  }, START_LIMIT_MS);
  afterAll(() => stage.close(), START_LIMIT_MS);

  it.each([
    ['is stopped', 'stop', 'start'],
    ['hangs', 'pause', 'resume'],
  ] as const)(
    'given that the database of payments %s, then payments refuses in time, all other services go on, and nothing is lost',
    async (_what, takeAway, giveBack) => {
      const buyer = stage.newBuyer();
      const [order, other] = await Promise.all([buyer.payableOrder(), buyer.payableOrder()]);
      const payment = await buyer.pay([order]);
      const cancel = `${PAYMENTS}/${payment}/cancel`;
      const look = async () => {
        const repeated = buyer.pay([other]);
        // Awaited after the database is back.
        repeated.catch(() => undefined);
        const asked = [client.get(PAYMENTS), client.get(`${PAYMENTS}/${payment}`), client.post(cancel, {})];
        const refused = await inTime(Promise.all(asked));
        const live = await stage.health('payments', 'live');
        const ready = await stage.health('payments', 'ready');
        const signedIn = await stage.fleet.client();
        ok(await signedIn.get('/v2/notification_webhooks'));
        await buyer.confirm([order]);
        await buyer.untilOrder(order, 'submitted');
        return { repeated: [repeated], refused, live, ready, areOthersReady: await stage.isReady('orders') };
      };
      const { postgres } = stage;
      const seen = await whileAway(
        () => postgres[takeAway](),
        () => postgres[giveBack](),
        look,
      );

      expect(seen.refused.map(refusalOf)).toEqual(seen.refused.map(() => UNAVAILABLE));
      expect(seen).toMatchObject({
        live: { status: 200 },
        ready: { status: 503, body: { database: 'down' } },
        areOthersReady: true,
      });
      await waitFor(() => stage.isReady('payments'), { ...RECOVERY, what: 'payments to be ready again' });
      // The server has run the statements that it received while it hung: their keys stay held for a minute.
      await stage.fleet.databases.endLeases();
      await buyer.untilLink(payment);
      await finish(buyer, payment, []);
      for (const repeated of seen.repeated) await finish(buyer, await repeated, [other]);
      for (const one of [order, other]) await buyer.untilOrder(one, 'successful');
      expect([await stage.findings(), stage.ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );

  it(
    'given that Kafka is away, then requests are taken, health warns, and the events come in order afterwards',
    async () => {
      const buyer = stage.newBuyer();
      const order = await buyer.payableOrder();
      const payment = await buyer.payablePayment([order]);
      await stage.untilQuiet();
      const receivedBefore = stage.receiver.received.length;
      const look = async () => {
        await buyer.play(payment, 'SUCCESS');
        await buyer.untilPayment(payment, 'APPROVED');
        const later = await buyer.payableOrder();
        const laterPayment = await buyer.pay([later]);
        await buyer.confirm([later]);
        const warning = async () => {
          const { status, body } = await stage.health('payments', 'ready');
          const { unpublished } = body['relay'] as { readonly unpublished: number };
          return body['event_bus'] === 'down' ? { status, unpublished } : null;
        };
        const health = await waitFor(warning, { ...RECOVERY, what: 'payments to report Kafka as down' });
        return { later, laterPayment, health, received: stage.receiver.received.length };
      };
      const { kafka } = stage;
      const { later, laterPayment, health, received } = await whileAway(
        () => kafka.stop(),
        () => kafka.start(),
        look,
      );

      expect(health.status).toBe(200);
      expect(health.unpublished).toBeGreaterThanOrEqual(2);
      expect(received).toBe(receivedBefore);
      await buyer.untilOrder(order, 'successful');
      await finish(buyer, laterPayment, []);
      await buyer.untilOrder(later, 'successful');
      // Every event came to the endpoint, those of each object by their sequence.
      expect([await stage.findings(), stage.ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );

  it(
    'given that identity is away, then tokens verify, cached facts are used, and unknown facts are a 503',
    async () => {
      const buyer = stage.newBuyer();
      const { mf_investment_account, bank_account_id } = await buyer.seeded();
      const [one, other] = await Promise.all([buyer.payableOrder(), buyer.payableOrder()]);
      const first = await buyer.pay([one], { bank_account_id });
      const order = { mf_investment_account: `mfia_${'0'.repeat(32)}`, scheme: 'INF209K01VD7', amount: 5000 };
      const look = async () => ({
        unknown: await inTime(client.post('/v2/mf_purchases', order)),
        // By now the facts that payments has cached about the tenant are older than their usual limit.
        known: await inTime(client.post('/v2/mf_purchases', { ...order, mf_investment_account })),
        second: await inTime(buyer.pay([other], { bank_account_id })),
        signIn: await stage.fleet.client().catch((error: unknown) => String(error)),
        ready: await stage.isReady('payments'),
      });
      const identity = stage.fleet.replica('identity');
      const { unknown, known, second, signIn, ready } = await whileAway(
        () => identity.kill(),
        () => identity.start(),
        look,
      );

      expect(refusalOf(unknown)).toEqual(UNAVAILABLE);
      expect([known.status, ready, signIn]).toEqual([
        200,
        true,
        expect.stringContaining('SERVICE_UNAVAILABLE'),
      ]);
      await finish(buyer, first, [one]);
      await finish(buyer, second, [other]);
      buyer.orders.add(String(known.body['id']));
      await buyer.untilOrder({ id: String(known.body['id']) }, 'pending');
      ok(await buyer.client.post(`/v2/mf_purchases/${String(known.body['id'])}/cancel`, {}));
      for (const { id } of [one, other]) await buyer.untilOrder({ id }, 'successful');
      expect(await stage.findings()).toEqual([]);
    },
    WALK_LIMIT_MS,
  );

  aProviderAway(() => stage);
  aDebitUnanswered(() => stage);

  it(
    'given as many requests as a replica accepts, then one more is refused at once, and the running ones are answered',
    async () => {
      // given a database that hangs, so that each accepted request keeps running
      const seen = await whileAway(
        () => stage.postgres.pause(),
        () => stage.postgres.resume(),
        async () => {
          const refused: ApiAnswer[] = [];
          const asked = Array.from({ length: 2 * IN_FLIGHT }, async () => {
            const answer = await client.get(PAYMENTS);
            if (answer.status === 503) refused.push(answer);
            return answer;
          });
          // when
          await waitFor(() => refused.length >= IN_FLIGHT, { ...RECOVERY, what: 'refusals' });
          const [live, orders] = await Promise.all([
            stage.health('payments', 'live'),
            client.get('/v2/mf_purchases'),
          ]);
          return { asked, refused: [...refused], live, orders };
        },
      );
      const answers = await inTime(Promise.all(seen.asked));

      // then
      for (const answer of seen.refused) {
        expect(refusalOf(answer)).toEqual(UNAVAILABLE);
        expect(answer.text).toContain('Too many requests are under way.');
      }
      expect([seen.live.status, seen.orders.status]).toEqual([200, 200]);
      // Requests of other services may have taken one or two places.
      const ran = answers.filter((answer) => !seen.refused.includes(answer));
      expect(ran.length).toBeGreaterThan(IN_FLIGHT / 2);
      expect(ran.filter(({ status }) => status !== 200)).toEqual([]);
      await waitFor(async () => (await client.get(PAYMENTS)).status === 200, RECOVERY);
    },
    WALK_LIMIT_MS,
  );
});
