import type { Fault } from '@fundrail/testing';
import type { Finding } from './finding.ts';
import { crashesAt } from './crash-sample.ts';
import { CRASHES, type Crash } from './fault-points.ts';
import { CrashStage } from './stage.ts';
import type { Walk } from './walks.ts';

const CRASH_LIMIT_MS = 90_000;

/**
 * A test for each crash of this place, or of its sample: the process dies at the fault point, during a client's request or its own work.
 * Then a new process starts on the same data, and the same client continues. Fails when the walk never reaches the point.
 */
export function describeCrashes(where: string, isHere: (crash: Crash) => boolean): void {
  const crashes = crashesAt(process.env['CRASH_POINTS'], CRASHES).filter(isHere);
  describe(`kill -9 at a named point of ${where}`, () => {
    let stage: CrashStage;
    /** The next test must not find what an earlier crash has broken. */
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
      // It is awaited below; when the test fails earlier, this error adds nothing.
      walked.catch(() => undefined);
      await stage.product.untilDead(CRASH_LIMIT_MS);
      await stage.product.start();
      await walked;
      const findings = await stage.findings();
      isSound = findings.length === 0;
      return findings;
    }

    it.each(crashes)('$name', async ({ walk, fault }) => {
      expect(await dieAndGoOn(walk, fault)).toEqual([]);
    });
  });
}
