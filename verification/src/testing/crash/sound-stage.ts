import type { Finding } from './finding.ts';
import { CrashStage } from './stage.ts';

/** What the tests of a suite share: a start costs more than most of them. */
interface SoundStage {
  /** Of the test that runs. */
  readonly stage: CrashStage;
  /** Everything that is wrong once all work has ended. Nothing: the next test goes on with this product, else with a new one. */
  findings(): Promise<readonly Finding[]>;
}

/** A product for each test: that of the test before where its end was sound, so its tests know only their own objects. Call it in `describe`. */
export function soundStage(): SoundStage {
  let stage: CrashStage | null = null;
  let isSound = false;
  const close = () => stage?.close();
  beforeEach(async () => {
    if (!isSound) stage = await CrashStage.open();
    isSound = false;
  });
  afterEach(async () => {
    if (!isSound) await close();
  });
  afterAll(async () => {
    if (isSound) await close();
  });
  const present = () => {
    if (stage === null) throw new Error('no test runs');
    return stage;
  };
  return {
    get stage() {
      return present();
    },
    findings: async () => {
      const found = await present().findings();
      isSound = found.length === 0;
      return found;
    },
  };
}
