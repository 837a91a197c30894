import { act } from './deliveries-acts.ts';
import { answer } from './deliveries-answers.ts';
import type { Model } from './deliveries-model.ts';
import { expectBehindNew, expectReplays, expectRows, expectSent } from './deliveries-rules.ts';
import type { Step } from './deliveries-steps.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const MOST_ROUNDS = 400;
const DAYS_OF_REST = 6;

/** Executes a step, and then everything that is due. */
export async function take(model: Model, step: Step): Promise<void> {
  await act(model, step);
  await settle(model);
}

/** Sends everything that is due until nothing is, responds to it, and checks each delivery. */
async function settle(model: Model): Promise<void> {
  const { stage } = model;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await stage.work([]);
    let rows = await stage.deliveries();
    const before = rows;
    expectBehindNew(model, await stage.replayedAlone(), before);
    await stage.look(round % 2 === 0 ? 0 : 1);
    const posts = stage.taken();
    rows = await stage.deliveries();
    expectSent(model, posts, { before, after: rows });
    expectRows(model, rows);
    model.open.push(...posts);
    const answered = model.open.filter(({ url }) => model.endpointAt(url).how !== 'slow');
    model.open = model.open.filter((post) => !answered.includes(post));
    for (const post of answered) rows = await answer(model, post, rows);
    if (posts.length === 0 && answered.length === 0) {
      expectReplays(model, await stage.replays(), rows);
      return;
    }
    stage.clock.advance(SECOND / 4);
  }
  throw new Error('the deliveries never come to an end');
}

/** Keeps every endpoint healthy for six days. Then every delivery is delivered or given up, and none is lost. */
export async function comeToRest(model: Model): Promise<void> {
  const { stage } = model;
  for (const endpoint of model.endpoints) endpoint.how = 'well';
  for (let day = 0; day < DAYS_OF_REST; day += 1) {
    stage.clock.advance(DAY);
    await settle(model);
  }
  const rows = await stage.deliveries();
  expect(rows.filter(({ status }) => status === 'pending')).toEqual([]);
  expect((await stage.replays()).filter(({ status }) => status === 'running')).toEqual([]);
  const exhausted = rows.filter(({ failure_code: code }) => code === 'attempts_exhausted');
  for (const { id, owed, accepted } of model.endpoints) {
    const given = exhausted.filter(({ webhook }) => webhook === id).map(({ event }) => event);
    expect([...owed].filter((event) => !accepted.has(event) && !given.includes(event))).toEqual([]);
  }
  expect(await stage.attempts()).toHaveLength(model.answered);
}
