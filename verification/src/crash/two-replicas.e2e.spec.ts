import { setTimeout as pause } from 'node:timers/promises';
import { timesOf, waitFor } from '@fundrail/testing';
import { LEADERS } from '../testing/crash/leaders.ts';
import { KillableProduct } from '../testing/crash/killable-product.ts';
import type { Reachable } from '../testing/crash/patient-client.ts';
import { crashSeed, oneOf, randomFrom } from '../testing/crash/random.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import * as walks from '../testing/crash/walks.ts';

const SEED = crashSeed();
const KILLS = timesOf('REPLICA_KILLS');
const WALKS_A_LIFE = 6;
const LIMIT_MS = 5 * 60_000;
const WALKS = [
  walks.paid,
  walks.declinedThenPaid,
  walks.twoOrdersInOnePayment,
  walks.paymentCancelledThenPaid,
  walks.paidTooLate,
] as const;

describe('two replicas of everything on the same databases', () => {
  const random = randomFrom(SEED);
  let stage: CrashStage;
  let replicas: [KillableProduct, KillableProduct];

  beforeAll(async () => {
    stage = await CrashStage.open();
    replicas = [stage.product, new KillableProduct(stage.databases)];
    await replicas[1].start();
  });
  afterAll(async () => {
    await replicas[1].stop();
    await stage.close();
  });

  /** Like a load balancer: either of the two, or the one that is alive. */
  const either: Reachable = {
    client: () => {
      const [one, other] = replicas;
      const order = random() < 0.5 ? [one, other] : [other, one];
      return Promise.race(order.map((replica) => replica.client()));
    },
  };
  const leaders = async () =>
    (await stage.databases.everywhere<{ leaders: number }>(LEADERS)).map((row) => row.leaders);

  it(
    `share the work, and one goes on when the other is killed (CRASH_SEED=${SEED})`,
    async () => {
      const walked: Promise<void>[] = [];
      const mostLeaders: number[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let count = 0; count < WALKS_A_LIFE; count += 1)
          walked.push(oneOf(WALKS, random)(stage.newBuyer(either, LIMIT_MS)));
        await pause(random() * 1_000);
        mostLeaders.push(...(await leaders()));
        const victim = oneOf(replicas, random);
        await victim.kill();
        await waitFor(async () => (await leaders()).every((count) => count === 1), {
          what: 'the other to lead',
        });
        await victim.start();
      }
      await stage.newBuyer(either).passMinutes(2);
      await Promise.all(walked);
      expect(Math.max(...mostLeaders)).toBe(1);
      expect(await stage.findings()).toEqual([]);
    },
    LIMIT_MS,
  );
});
