import type { Fault } from '@fundrail/testing';
import type { Finding } from './finding.ts';
import type { Death } from './fault-points.ts';
import { CrashStage } from './stage.ts';
import type { Walk } from './walks.ts';

const DEATH_LIMIT_MS = 30_000;

/**
 * A test for each death: the client's request, or the product's own work, is cut off at that line; then the same data, a new
 * process, and the same client that goes on. Fails when the walk never comes to the line.
 */
export function describeDeaths(where: string, deaths: readonly Death[]): void {
  describe(`kill -9 at a named point of ${where}`, () => {
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

    async function dieAndGoOn(walk: Walk, fault: Fault): Promise<Finding[]> {
      stage.product.arm(fault);
      const walked = walk(stage.newBuyer());
      // It is awaited below; when the test fails before, its error is no news.
      walked.catch(() => undefined);
      await stage.product.untilDead(DEATH_LIMIT_MS);
      await stage.product.start();
      await walked;
      const findings = await stage.findings();
      isSound = findings.length === 0;
      return findings;
    }

    it.each(deaths)('$name', async ({ walk, fault }) => {
      expect(await dieAndGoOn(walk, fault)).toEqual([]);
    });
  });
}
