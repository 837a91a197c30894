import { timesOf } from '@fundrail/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { authorised, cancel, debit } from '../testing/crash/mandate-walks.ts';
import { crashSeed, oneOf, randomFrom } from '../testing/crash/random.ts';
import type { Buyer } from '../testing/crash/buyer.ts';
import type { Order } from '../testing/purchase.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import * as walks from '../testing/crash/walks.ts';

const KILLS = timesOf('CRASH_KILLS');
const KILLS_OF_DEBITS = timesOf('CRASH_KILLS_OF_DEBITS');
const SEED = crashSeed();
const LIMIT_MS = 30 * 60_000;
/** The longest time between a start and its kill, in wall milliseconds. It includes the start, which may be cut off. */
const LONGEST_LIFE_MS = 1_200;
const WALKS_A_LIFE = 2;
const WALKS = [
  walks.paid,
  walks.paid,
  walks.declinedThenPaid,
  walks.reviewRefused,
  walks.registrarRefused,
  walks.twoOrdersInOnePayment,
  walks.paymentCancelledThenPaid,
  walks.paidTooLate,
  walks.orderCancelled,
] as const;

describe('kill -9 at any moment', () => {
  let stage: CrashStage;
  beforeEach(async () => void (stage = await CrashStage.open()));
  afterEach(() => stage.close());

  const random = randomFrom(SEED);

  /** Some kills come in the middle of a start. */
  async function liveAndDie(): Promise<void> {
    const isCutOffEarly = random() < 0.2;
    const lifeMs = random() * LONGEST_LIFE_MS;
    if (!stage.product.isRunning) stage.product.spawn();
    if (!isCutOffEarly) await stage.product.serves();
    await pause(lifeMs);
    await stage.product.kill();
  }

  /** From the confirmed order through the notice of a debit and its execution to the money's arrival. */
  async function confirmedDebit(buyer: Buyer, order: Order, payment: number): Promise<void> {
    await buyer.confirm([order]);
    await buyer.untilOrder(order, 'submitted');
    await buyer.passMinutes(2 * 24 * 60);
    await buyer.untilPayment(payment, 'APPROVED');
    await buyer.untilOrder(order, 'successful');
  }

  it(
    `around notices and executions, ${KILLS_OF_DEBITS} times, debits each order once (CRASH_SEED=${SEED})`,
    async () => {
      let kills = 0;
      while (kills < KILLS_OF_DEBITS) {
        const buyer = stage.newBuyer(stage.product, LIMIT_MS);
        const mandate = await authorised(buyer);
        const order = await buyer.payableOrder();
        const payment = await debit(buyer, mandate, order);
        const under = { way: true };
        const walked = confirmedDebit(buyer, order, payment).finally(() => (under.way = false));
        for (; under.way && kills < KILLS_OF_DEBITS; kills += 1) await liveAndDie();
        await stage.product.start();
        await walked;
        await cancel(buyer, mandate);
      }
      expect(await stage.findings()).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    `${KILLS} times leaves nothing undone and does nothing twice (CRASH_SEED=${SEED})`,
    async () => {
      const walked: Promise<void>[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let count = 0; count < WALKS_A_LIFE; count += 1)
          walked.push(oneOf(WALKS, random)(stage.newBuyer(stage.product, LIMIT_MS)));
        await liveAndDie();
      }
      await stage.product.start();
      // The test does not wait for work that was put off after a call without an answer (5 s, 30 s).
      await stage.newBuyer().passMinutes(2);
      await Promise.all(walked);
      expect(await stage.findings()).toEqual([]);
    },
    LIMIT_MS,
  );
});
