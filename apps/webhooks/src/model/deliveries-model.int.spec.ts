import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { replayOf, runOf } from '@fundrail/testing/model';
import fc from 'fast-check';
import { webhooksService } from '../index.ts';
import { Model } from '../testing/model/deliveries-model.ts';
import { comeToRest, take } from '../testing/model/deliveries-run.ts';
import { DeliveriesStage } from '../testing/model/deliveries-stage.ts';
import { STEPS } from '../testing/model/deliveries-steps.ts';

/** Sequences of steps, always the same; `MODEL_SEED=11 MODEL_RUNS=1000` for many others. */
const { replayPath: _, ...RUN } = runOf({ MODEL_SEED: '7', ...process.env });
const RUN_LIMIT_MS = 30_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('deliveries, against a model', () => {
  let database: TestDatabase;
  let stage: DeliveriesStage;
  beforeAll(async () => {
    database = await createTestDatabase(webhooksService);
    stage = new DeliveriesStage(database.url);
  });
  afterAll(async () => {
    await stage.end();
    await database.drop();
  });

  async function begin(endpoints: number): Promise<Model> {
    await stage.begin();
    const model = new Model(stage);
    for (let made = 0; made < endpoints; made += 1) await model.addEndpoint();
    return model;
  }

  it(
    'keeps the rules over days of its clock, with any behaviour of endpoints and clients, and loses nothing (HOOK-15, HOOK-27)',
    async () => {
      const property = fc.asyncProperty(STEPS, async (steps) => {
        const model = await begin(2);
        for (const step of steps) await take(model, step);
        await comeToRest(model);
      });
      const result = await fc.check(property, RUN);
      if (result.failed) throw new Error(replayOf(result, 'apps/webhooks/src/model'));
    },
    RUN.numRuns * RUN_LIMIT_MS,
  );

  it('gives up after ten attempts in 76 hours, and disables after five days', async () => {
    const model = await begin(1);
    const { id } = model.one(0);
    model.one(0).how = 'failing';
    const started = model.now;
    const until = async (ms: number) => {
      while (model.now - started < ms) await take(model, { do: 'advance', ms: HOUR });
    };
    await take(model, { do: 'publish', object: 'A', count: 1 });
    await until(100 * HOUR);
    expect(await stage.deliveries()).toMatchObject([{ status: 'failed', tries: 10 }]);
    expect(await stage.endpoints()).toMatchObject([{ id, status: 'enabled' }]);
    await take(model, { do: 'publish', object: 'A', count: 1 });
    await until(6 * DAY);
    expect((await stage.endpoints())[0]?.disabled_reason).toContain('5 days');
    expect((await stage.deliveries()).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });
});
