import { describeWithKafka, timesOf } from '@fundrail/testing';
import { linesOf, type ChaosReport } from '../testing/chaos/chaos-report.ts';
import { runChaos } from '../testing/chaos/chaos-run.ts';
import { ChaosStage } from '../testing/chaos/chaos-stage.ts';

/** `CHAOS_SEED` and `CHAOS_KILLS` repeat or lengthen a run; `npm run chaos` is the same without Jest. */
const SEED = Number(process.env['CHAOS_SEED'] ?? 4);
const KILLS = timesOf('CHAOS_KILLS');
const LIMIT_MS = 10 * 60_000 + KILLS * 10_000;

describeWithKafka('all services as processes, while everything goes wrong', () => {
  let stage: ChaosStage | undefined;
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  beforeAll(async () => void (stage = await ChaosStage.open(log)), LIMIT_MS);
  afterAll(() => stage?.close(), LIMIT_MS);

  /** What a reader needs to understand a failure. */
  const story = (report: ChaosReport) => [...lines, ...linesOf(report)].join('\n');

  it(
    `nothing is lost, doubled, out of order or unfinished after ${KILLS} faults (CHAOS_SEED=${SEED})`,
    async () => {
      const report = await runChaos(stage!, { seed: SEED, kills: KILLS, buyers: 8, log });
      if (report.findings.length > 0) throw new Error(story(report));
      expect(report.events).toBeGreaterThan(report.kills);
    },
    LIMIT_MS,
  );
});
