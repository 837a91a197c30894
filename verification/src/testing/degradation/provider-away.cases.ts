import { waitFor } from '@fundrail/testing';
import { finish } from '../crash/walks.ts';
import { ok } from '../purchase.ts';
import { BULKHEAD, RECOVERY, type DegradationStage } from './degradation-stage.ts';
import { inTime, whileAway } from './while-away.ts';

const WALK_LIMIT_MS = 240_000;
/** Longer than a call waits for its answer (5 s), so that every call arrives after the caller has given up. Then 9 others may be made before the circuit opens. */
const HANGS_MS = 8_000;
const PAYMENTS = '/api/pg/payments';
const ORDERS = '/v2/mf_purchases';
const REVIEW = 'POST /gatewaypoa/orders/review';
const READERS = 10;
const READS_EACH = 20;

/** Nothing is lost, and requests that do not need the provider do not wait for it. */
export function aProviderAway(stage: () => DegradationStage): void {
  callsThatHang(stage);
  readsMeanwhile(stage);
  callsThatFail(stage);
}

function callsThatHang(stage: () => DegradationStage): void {
  it(
    'given a provider that hangs, then its calls are limited and given up, everything else answers, and each order is sent once',
    async () => {
      const [buyer, client] = [stage().newBuyer(), await stage().fleet.client()];
      const paid = await buyer.payableOrder();
      const calls = async (outcome: string) => stage().providerCalls('orders', REVIEW, outcome);
      const before = { no_answer: await calls('no_answer'), not_sent: await calls('not_sent') };
      const look = async () => {
        const payment = await buyer.pay([paid]);
        await buyer.confirm([paid]);
        const startedAt = performance.now();
        const orders = await Promise.all(Array.from({ length: BULKHEAD + 8 }, () => buyer.createOrder(5000)));
        const places = BULKHEAD + (performance.now() - startedAt < 5_000 ? 0 : 9);
        for (const path of ['/v2/mf_purchases', PAYMENTS, '/v2/notification_webhooks', '/v2/bank_accounts'])
          ok(await inTime(client.get(path)));
        const tried = async () =>
          (await calls('no_answer')) + (await calls('not_sent')) >=
          before.no_answer + before.not_sent + orders.length;
        await waitFor(tried, { ...RECOVERY, what: 'each review to be tried' });
        const made = (await calls('no_answer')) - before.no_answer;
        const areReady = [await stage().isReady('orders'), await stage().isReady('payments')];
        // All of those calls have ended, so only the circuit breaker can hold calls back now.
        const heldBack = await calls('not_sent');
        const further = await Promise.all(Array.from({ length: 12 }, () => buyer.createOrder(5000)));
        const isHeldBack = async () => (await calls('not_sent')) > heldBack;
        await waitFor(isHeldBack, { ...RECOVERY, what: 'a review that is held back' });
        return { payment, orders: [...orders, ...further], made, places, areReady };
      };
      const { payment, orders, made, places, areReady } = await whileAway(
        () => stage().takeProvider(HANGS_MS),
        () => stage().giveProviderBack(),
        look,
      );

      expect(made).toBeLessThanOrEqual(places);
      expect(areReady).toEqual([true, true]);
      // Work that was put off for minutes is retried within this test.
      stage().clock.goAt(300);
      await buyer.untilLink(payment);
      for (const order of orders) await buyer.untilOrder(order, 'pending');
      stage().clock.goAt(1);
      await finish(buyer, payment, []);
      await Promise.all(
        orders.map(async ({ id }) => ok(await buyer.client.post(`/v2/mf_purchases/${id}/cancel`, {}))),
      );
      await buyer.untilOrder(paid, 'successful');
      expect([await stage().findings(), stage().ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );
}

function readsMeanwhile(stage: () => DegradationStage): void {
  it(
    'given a provider that hangs, when orders and payments are read two hundred times, then each is answered',
    async () => {
      const [buyer, client] = [stage().newBuyer(), await stage().fleet.client()];
      const paid = await buyer.payableOrder();
      const answered = () => stage().providerCalls('orders', REVIEW, 'answered');
      const look = async () => {
        const before = await answered();
        const payment = await buyer.pay([paid]);
        await buyer.confirm([paid]);
        const orders = await Promise.all(Array.from({ length: READERS }, () => buyer.createOrder(5000)));
        const paths = [ORDERS, `${ORDERS}/${paid.id}`, PAYMENTS, `${PAYMENTS}/${payment}`];
        const read = async (path: string) => (await inTime(client.get(path))).status;
        const reader = async () => {
          const statuses: number[] = [];
          for (let at = 0; at < READS_EACH; at += 1) statuses.push(await read(paths[at % 4] ?? ORDERS));
          return statuses;
        };
        const statuses = (await Promise.all(Array.from({ length: READERS }, reader))).flat();
        return { payment, orders, statuses, reviewed: (await answered()) - before };
      };
      const { payment, orders, statuses, reviewed } = await whileAway(
        () => stage().takeProvider(HANGS_MS),
        () => stage().giveProviderBack(),
        look,
      );

      expect([statuses.length, [...new Set(statuses)]]).toEqual([READERS * READS_EACH, [200]]);
      // The provider was hanging all the time.
      expect(reviewed).toBe(0);
      stage().clock.goAt(300);
      await buyer.untilLink(payment);
      for (const order of orders) await buyer.untilOrder(order, 'pending');
      stage().clock.goAt(1);
      await finish(buyer, payment, []);
      for (const { id } of orders) ok(await buyer.client.post(`${ORDERS}/${id}/cancel`, {}));
      await buyer.untilOrder(paid, 'successful');
      expect([await stage().findings(), stage().ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );
}

function callsThatFail(stage: () => DegradationStage): void {
  it(
    'given a provider that answers 503, then reads go on, states are shown as they are, and everything is resolved once it works',
    async () => {
      const [buyer, client] = [stage().newBuyer(), await stage().fleet.client()];
      const [captured, unsent] = await Promise.all([buyer.payableOrder(), buyer.payableOrder()]);
      const failed = () => stage().providerCalls('orders', REVIEW, 'failed');
      const linked = await buyer.payablePayment([captured]);
      await stage().untilQuiet();
      const before = await failed();
      const look = async () => {
        // The investor pays, and the provider's callback does not arrive.
        await buyer.play(linked, 'SUCCESS');
        const unlinked = await buyer.pay([unsent]);
        await buyer.confirm([unsent]);
        const unreviewed = await buyer.createOrder(5000);
        const hasFailed = async () => (await failed()) > before;
        await waitFor(hasFailed, { ...RECOVERY, what: 'a review that fails' });
        const [orders, payments] = [await client.get(ORDERS), await client.get(PAYMENTS)];
        const states = {
          linked: (await buyer.payment(linked))['status'],
          unlinked: await buyer.payment(unlinked),
          unsent: ok(await client.get(`${ORDERS}/${unsent.id}`)).body['state'],
          unreviewed: ok(await client.get(`${ORDERS}/${unreviewed.id}`)).body['state'],
        };
        const areReady = [await stage().isReady('orders'), await stage().isReady('payments')];
        return { unlinked, unreviewed, states, areReady, read: [orders.status, payments.status] };
      };
      const { unlinked, unreviewed, states, areReady, read } = await whileAway(
        () => stage().takeProvider('failing'),
        () => stage().giveProviderBack(),
        look,
      );

      expect([read, areReady]).toEqual([
        [200, 200],
        [true, true],
      ]);
      expect(states).toMatchObject({
        ...{ linked: 'PENDING', unlinked: { status: 'PENDING', upi: { uri: null } } },
        ...{ unsent: 'confirmed', unreviewed: 'under_review' },
      });
      stage().clock.goAt(300);
      await buyer.untilPayment(linked, 'APPROVED');
      await buyer.untilLink(unlinked);
      await buyer.untilOrder(unreviewed, 'pending');
      stage().clock.goAt(1);
      await finish(buyer, unlinked, []);
      for (const order of [captured, unsent]) await buyer.untilOrder(order, 'successful');
      ok(await buyer.client.post(`${ORDERS}/${unreviewed.id}/cancel`, {}));
      expect([await stage().findings(), stage().ended]).toEqual([[], []]);
    },
    WALK_LIMIT_MS,
  );
}
