import { describeWithKafka, waitFor } from '@fundrail/testing';
import type { ApiAnswer, ApiClient } from '../testing/api-client.ts';
import { finish } from '../testing/crash/walks.ts';
import {
  BULKHEAD,
  DegradationStage,
  IN_FLIGHT,
  RECOVERY_MS,
} from '../testing/degradation/degradation-stage.ts';
import { halfARequest } from '../testing/degradation/half-a-request.ts';
import { ok } from '../testing/purchase.ts';

const START_LIMIT_MS = 240_000;
const WALK_LIMIT_MS = 240_000;
const RECOVERY = { limitMs: RECOVERY_MS, everyMs: 200 };
/** An answer has to come by then, whatever is away: no client waits for longer. */
const ANSWER_LIMIT_MS = 30_000;
/** Longer than a call waits for its answer (5 s), so that every call arrives when nobody waits for it any more. */
const HANGS_MS = 8_000;
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '1' };
const PAYMENTS = '/api/pg/payments';
const REVIEW = 'POST /gatewaypoa/orders/review';

/** What a client sees of a refusal. */
function refusalOf({ status, headers, body }: ApiAnswer) {
  const { code } = (body['error'] ?? {}) as { readonly code?: string };
  return { status, code, retryAfter: headers.get('retry-after') };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_LIMIT_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** What is seen while something is away; it is given back whatever happens. */
async function whileAway<T>(
  takeAway: () => unknown,
  giveBack: () => unknown,
  look: () => Promise<T>,
): Promise<T> {
  await takeAway();
  try {
    return await look();
  } finally {
    await giveBack();
  }
}

/** Part by part is taken away from one running product, and given back; no process is started again for it. */
describeWithKafka('the product as processes, while a part of it is away', () => {
  let stage: DegradationStage;
  let client: ApiClient;
  beforeAll(async () => {
    stage = await DegradationStage.open();
    client = await stage.fleet.client();
  }, START_LIMIT_MS);
  afterAll(() => stage.close(), START_LIMIT_MS);

  const isReady = async (service: 'orders' | 'payments') =>
    (await stage.health(service, 'ready')).status === 200;

  it.each([
    ['is stopped', 'stop', 'start'],
    ['hangs', 'pause', 'resume'],
  ] as const)(
    'given that the database of payments %s, then payments refuses in time, all others go on, and nothing is lost',
    async (_what, takeAway, giveBack) => {
      const buyer = stage.newBuyer();
      const [order, other] = await Promise.all([buyer.payableOrder(), buyer.payableOrder()]);
      const payment = await buyer.pay([order]);
      const cancel = `${PAYMENTS}/${payment}/cancel`;
      const look = async () => {
        const repeated = buyer.pay([other]);
        // Awaited when the database is back.
        repeated.catch(() => undefined);
        const asked = [client.get(PAYMENTS), client.get(`${PAYMENTS}/${payment}`), client.post(cancel, {})];
        const refused = await inTime(Promise.all(asked));
        const live = await stage.health('payments', 'live');
        const ready = await stage.health('payments', 'ready');
        const signedIn = await stage.fleet.client();
        ok(await signedIn.get('/v2/notification_webhooks'));
        await buyer.confirm([order]);
        await buyer.untilOrder(order, 'submitted');
        return { repeated: [repeated], refused, live, ready, areOthersReady: await isReady('orders') };
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
      await waitFor(() => isReady('payments'), { ...RECOVERY, what: 'payments to be ready again' });
      // A server that hung has worked what it was sent: keys that nobody holds any more, for a minute.
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
      const heardBefore = stage.receiver.received.length;
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
        const told = await waitFor(warning, { ...RECOVERY, what: 'payments to tell of Kafka' });
        return { later, laterPayment, told, heard: stage.receiver.received.length };
      };
      const { kafka } = stage;
      const { later, laterPayment, told, heard } = await whileAway(
        () => kafka.stop(),
        () => kafka.start(),
        look,
      );

      expect(told.status).toBe(200);
      expect(told.unpublished).toBeGreaterThanOrEqual(2);
      expect(heard).toBe(heardBefore);
      await buyer.untilOrder(order, 'successful');
      await finish(buyer, laterPayment, []);
      await buyer.untilOrder(later, 'successful');
      // Every event came to the endpoint, those of each object by their sequence.
      expect([await stage.findings(), stage.ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );

  it(
    'given that identity is away, then tokens verify, known facts are used, and what is unknown is a 503',
    async () => {
      const buyer = stage.newBuyer();
      const { mf_investment_account, bank_account_id } = await buyer.seeded();
      const [one, other] = await Promise.all([buyer.payableOrder(), buyer.payableOrder()]);
      const first = await buyer.pay([one], { bank_account_id });
      const order = { mf_investment_account: `mfia_${'0'.repeat(32)}`, scheme: 'INF209K01VD7', amount: 5000 };
      const look = async () => ({
        unknown: await inTime(client.post('/v2/mf_purchases', order)),
        // By now what payments knew of the tenant is older than it is usually kept.
        known: await inTime(client.post('/v2/mf_purchases', { ...order, mf_investment_account })),
        second: await inTime(buyer.pay([other], { bank_account_id })),
        signIn: await stage.fleet.client().catch((error: unknown) => String(error)),
        ready: await isReady('payments'),
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

  it(
    'given a provider that hangs, then its calls are bounded and given up, all else answers, and each order is sent once',
    async () => {
      const buyer = stage.newBuyer();
      const paid = await buyer.payableOrder();
      const calls = async (outcome: string) => stage.providerCalls('orders', REVIEW, outcome);
      const before = { no_answer: await calls('no_answer'), not_sent: await calls('not_sent') };
      const look = async () => {
        const payment = await buyer.pay([paid]);
        await buyer.confirm([paid]);
        const orders = await Promise.all(Array.from({ length: BULKHEAD + 8 }, () => buyer.createOrder(5000)));
        for (const path of ['/v2/mf_purchases', PAYMENTS, '/v2/notification_webhooks', '/v2/bank_accounts'])
          ok(await inTime(client.get(path)));
        const tried = async () =>
          (await calls('no_answer')) + (await calls('not_sent')) >=
          before.no_answer + before.not_sent + orders.length;
        await waitFor(tried, { ...RECOVERY, what: 'each review to be tried' });
        const made = (await calls('no_answer')) - before.no_answer;
        const areReady = [await isReady('orders'), await isReady('payments')];
        // All of those calls have ended, so what is held back now is held back by the circuit.
        const heldBack = await calls('not_sent');
        const further = await Promise.all(Array.from({ length: 12 }, () => buyer.createOrder(5000)));
        const isHeldBack = async () => (await calls('not_sent')) > heldBack;
        await waitFor(isHeldBack, { ...RECOVERY, what: 'a review that is held back' });
        return { payment, orders: [...orders, ...further], made, areReady };
      };
      const hang = () => {
        // The connections that are kept would go on working.
        stage.fleet.provider?.set('cut');
        stage.fleet.provider?.set(HANGS_MS);
      };
      const { payment, orders, made, areReady } = await whileAway(
        hang,
        () => stage.fleet.provider?.set('steady'),
        look,
      );

      expect(made).toBeLessThanOrEqual(BULKHEAD);
      expect(areReady).toEqual([true, true]);
      // What was put off for minutes comes back within this test.
      stage.clock.goAt(300);
      await buyer.untilLink(payment);
      for (const order of orders) await buyer.untilOrder(order, 'pending');
      stage.clock.goAt(1);
      await finish(buyer, payment, []);
      await Promise.all(
        orders.map(async ({ id }) => ok(await buyer.client.post(`/v2/mf_purchases/${id}/cancel`, {}))),
      );
      await buyer.untilOrder(paid, 'successful');
      expect([await stage.findings(), stage.ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );

  it(
    'given as many requests as a replica runs, then one more is refused at once, and those that run are answered',
    async () => {
      const held = Array.from({ length: IN_FLIGHT }, () =>
        halfARequest(stage.urlOf('payments'), `${PAYMENTS}/netbanking`, client.token),
      );
      const refused = await waitFor(
        async () => {
          const answer = await client.get(PAYMENTS);
          return answer.status === 503 ? answer : null;
        },
        { ...RECOVERY, what: 'a refusal' },
      );
      const [live, orders] = await Promise.all([
        stage.health('payments', 'live'),
        client.get('/v2/mf_purchases'),
      ]);
      const waiting = held.filter(({ answer }) => answer() === '');
      const answers = await inTime(Promise.all(waiting.map((request) => request.finish())));

      expect(refusalOf(refused)).toEqual(UNAVAILABLE);
      expect(refused.text).toContain('Too many requests are under way.');
      expect([live.status, orders.status]).toEqual([200, 200]);
      // A request of a neighbour, or the one that found out, may have had a place or two.
      expect(waiting.length).toBeGreaterThan(IN_FLIGHT / 2);
      expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 400 '))).toEqual([]);
      await waitFor(async () => (await client.get(PAYMENTS)).status === 200, RECOVERY);
    },
    WALK_LIMIT_MS,
  );
});
