import { waitFor } from '@fundrail/testing';
import { DUE_START, DueStage } from '../testing/due-stage.ts';
import { DueLane } from './due-work.ts';

describe('the lanes of a DueWorker', () => {
  let stage: DueStage;
  beforeAll(async () => {
    stage = await DueStage.start();
  });
  beforeEach(() => stage.begin());
  afterEach(() => stage.finish());
  afterAll(() => stage.end());

  it('reports the earliest step and how much is due, lanes included (DUE-6)', async () => {
    class Lane extends DueLane {
      readonly name = 'lane';
      override readonly isStep: boolean;
      constructor(
        readonly at: Date,
        isStep: boolean,
      ) {
        super();
        this.isStep = isStep;
      }
      earliestDue(before: Date) {
        return Promise.resolve(this.at <= before ? this.at : null);
      }
      run() {
        return Promise.resolve(0);
      }
    }
    const plus = (ms: number) => new Date(DUE_START.getTime() + ms);
    const made = stage.worker(() => Promise.resolve('done'));
    made.addLane(new Lane(plus(2_000), true));
    made.addLane(new Lane(plus(1_000), false));
    await stage.schedule('later', plus(3_000));
    expect(await made.earliestDue(plus(500))).toEqual({ due: null, planned: null });
    expect(await made.earliestDue(plus(5_000))).toEqual({ due: plus(2_000), planned: plus(2_000) });
    expect(await made.countDue(plus(1_500))).toEqual({ due: 0, background: 1 });
    expect(await made.countDue(plus(3_000))).toEqual({ due: 2, background: 1 });
  });

  it('runs a lane again while it finds work, and never twice at the same time', async () => {
    let left = 5;
    let running = 0;
    class Counting extends DueLane {
      readonly name = 'counting';
      earliestDue() {
        return Promise.resolve(null);
      }
      async run() {
        expect(++running).toBe(1);
        await stage.database.now();
        running -= 1;
        return left > 0 ? left-- : 0;
      }
    }
    const made = stage.worker(() => Promise.resolve('done'), { pollMs: 3_600_000 });
    made.addLane(new Counting());
    made.start();
    await waitFor(() => left === 0);
  });

  it('skips a lane that is not ready', async () => {
    const calls: string[] = [];
    class Unready extends DueLane {
      readonly name = 'unready';
      ready = false;
      earliestDue() {
        return Promise.resolve(null);
      }
      override isReady() {
        calls.push('ready?');
        return this.ready;
      }
      run() {
        calls.push('run');
        return Promise.resolve(0);
      }
    }
    const made = stage.worker(() => Promise.resolve('done'));
    const lane = new Unready();
    made.addLane(lane);
    made.start();
    await waitFor(() => calls.length === 3);
    expect(calls).not.toContain('run');
    lane.ready = true;
    await waitFor(() => calls.includes('run'));
  });
});
