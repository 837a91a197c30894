import type { Fault } from '@fundrail/testing';
import { DEATHS } from '../testing/crash/fault-points.ts';
import { CrashStage } from '../testing/crash/stage.ts';
import type { Walk } from '../testing/crash/walks.ts';

const DEATH_LIMIT_MS = 30_000;

/** The client's request or the product's own work is cut off at that line; the same data, a new process, the same client. */
describe('kill -9 at a named point', () => {
  let stage: CrashStage;
  /** What one death has broken must not be found by the next test. */
  let isSound = false;
  beforeEach(async () => {
    if (!isSound) stage = await CrashStage.open();
    isSound = false;
  });
  afterEach(async () => {
    if (!isSound) await stage.close();
  });
  afterAll(async () => {
    if (isSound) await stage.close();
  });

  async function dieAndGoOn(walk: Walk, fault: Fault): Promise<string[]> {
    stage.product.arm(fault);
    const walked = walk(stage.newBuyer());
    await stage.product.untilDead(DEATH_LIMIT_MS);
    await stage.product.start();
    await walked;
    const findings = await stage.findings();
    isSound = findings.length === 0;
    return findings;
  }

  it.each(DEATHS)('$name', async ({ walk, fault }) => {
    expect(await dieAndGoOn(walk, fault)).toEqual([]);
  });
});
