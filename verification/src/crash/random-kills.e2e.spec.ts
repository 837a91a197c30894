import { setTimeout as pause } from 'node:timers/promises';
import { crashSeed, oneOf, randomFrom } from '../testing/crash/random.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import * as walks from '../testing/crash/walks.ts';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 50);
const SEED = crashSeed();
const LIMIT_MS = 15 * 60_000;
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
  beforeAll(async () => void (stage = await CrashStage.open()));
  afterAll(() => stage.close());

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
