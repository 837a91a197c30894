import { waitFor } from '@fundrail/testing';
import { DUE_START, DueStage } from '../testing/due-stage.ts';
import { giveDueBack, kindsDue, leaseDue } from './due-batch.ts';
import { DueLane, signalOf } from './due-work.ts';

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

  it('wakes, after a commit, only the lanes that have its signal', async () => {
    class Woken extends DueLane {
      runs = 0;
      constructor(
        readonly name: string,
        override readonly signal: DueLane['signal'],
      ) {
        super();
      }
      earliestDue() {
        return Promise.resolve(null);
      }
      run() {
        this.runs += 1;
        return Promise.resolve(0);
      }
    }
    const [own, others, rows, kinds, otherKinds, polled] = [
      new Woken('own', 'due:own'),
      new Woken('others', 'due:others'),
      new Woken('rows', 'due'),
      new Woken('rows of its kinds', ['letter', 'note'].map(signalOf)),
      new Woken('rows of other kinds', [signalOf('letter')]),
      new Woken('polled', null),
    ];
    const lanes = [own, others, rows, kinds, otherKinds, polled];
    const handled: string[] = [];
    const made = stage.worker(({ key }) => Promise.resolve((handled.push(key), 'done')), {
      pollMs: 3_600_000,
    });
    for (const lane of lanes) made.addLane(lane);
    made.start();
    await waitFor(() => lanes.every(({ runs }) => runs === 1) && made.inFlight === 0);
    await stage.database.transaction(async (tx) => {
      await tx.query({ name: 'test.one', text: 'SELECT 1' });
      tx.signal('due:own');
    });
    await waitFor(() => own.runs === 2);
    await stage.schedule('row');
    await waitFor(() => rows.runs === 2 && kinds.runs === 2 && handled.length === 1);
    await made.stop();
    expect(lanes.map(({ runs }) => runs)).toEqual([2, 1, 2, 2, 1, 1]);
  });

  it('finds which kinds have work to lease with one look', async () => {
    await stage.schedule('one');
    const look = async (now = DUE_START) => [
      ...(await kindsDue(stage.database, ['letter', 'note', 'other'], now)),
    ];
    expect(await look(new Date(DUE_START.getTime() - 1))).toEqual([]);
    expect(await look()).toEqual(['note']);
    const terms = { kind: 'note', now: DUE_START, most: 1, token: 'lease', leaseMs: 60_000 };
    const leased = await leaseDue(stage.database, terms);
    expect(await look()).toEqual([]);
    await giveDueBack(stage.database, leased);
    expect(await look()).toEqual(['note']);
  });

  it('loses no signal that comes while a run ends', async () => {
    let runs = 0;
    let turns = 0;
    class Ending extends DueLane {
      readonly name = 'ending';
      override readonly signal = 'due:ending';
      earliestDue() {
        return Promise.resolve(null);
      }
      run() {
        runs += 1;
        if (runs < 30) void this.signalAfter(turns++ % 10);
        return Promise.resolve(0);
      }
      private async signalAfter(count: number) {
        for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
        stage.database.signal(this.signal);
      }
    }
    const made = stage.worker(() => Promise.resolve('done'), { pollMs: 3_600_000 });
    made.addLane(new Ending());
    made.start();
    await waitFor(() => runs === 30);
  });

  it('lets a lane rest after each run, so that work gathers', async () => {
    const REST_MS = 30;
    const runs: number[] = [];
    class Resting extends DueLane {
      readonly name = 'resting';
      override readonly restMs = REST_MS;
      earliestDue() {
        return Promise.resolve(null);
      }
      run() {
        runs.push(performance.now());
        return Promise.resolve(runs.length < 4 ? 1 : 0);
      }
    }
    const made = stage.worker(() => Promise.resolve('done'), { pollMs: 3_600_000 });
    made.addLane(new Resting());
    made.start();
    await waitFor(() => runs.length === 4);
    const pauses = runs.slice(1).map((at, index) => at - (runs[index] ?? 0));
    // A timer may be a millisecond early.
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(REST_MS - 1);
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
    await waitFor(() => calls.length >= 3);
    expect(calls).not.toContain('run');
    lane.ready = true;
    await waitFor(() => calls.includes('run'));
  });
});
