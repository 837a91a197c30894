import { ApiError } from '@fundrail/contracts';
import type { DeliveryRow } from '../../delivery/delivery.table.ts';
import { answerTo, oneDelivery, type Endpoint, type Model } from './deliveries-model.ts';
import { expectPost, expectRows } from './deliveries-rules.ts';
import type { Race } from './deliveries-steps.ts';

/**
 * Executes all actions of a race at the same time, while two replicas run and replays continue. The order is random, so the result is
 * read and not predicted. In any order, every rule must hold afterwards.
 */
export async function race(model: Model, of: Race): Promise<void> {
  const { stage } = model;
  const before = await stage.deliveries();
  const running = await model.runningReplays();
  const wereEnabled = model.endpoints.filter(({ enabled }) => enabled);
  const events = Array.from({ length: of.count }, () => model.nextEvent(of.object));
  const retried = of.retry === null ? undefined : oneDelivery(before, of.retry);
  const disabled = of.disable === null ? null : model.one(of.disable);
  const moved = of.url === null ? null : model.one(of.url);
  const cancelled = of.cancel === null ? null : model.runningReplay(model.one(of.cancel), running);
  const urls = new Set(model.endpoints.map(({ url }) => url));
  moved?.move();
  const answers = of.answer === null ? [] : answerAll(model, of.answer);
  await Promise.all([
    (async () => {
      for (const event of events) await stage.publish(event);
    })(),
    retried && orRefused(stage.retry(retried.id)),
    disabled && stage.put(disabled.id, { status: 'disabled' }),
    moved && stage.put(moved.id, { url: moved.url }),
    cancelled && orRefused(stage.cancelReplay(ofReplay(model, cancelled).id, cancelled)),
    stage.look(0),
    stage.look(1),
    stage.work([]),
    ...answers,
  ]);
  for (const one of model.endpoints) urls.add(one.url);
  const posts = stage.taken();
  for (const post of posts) {
    expect(urls).toContain(post.url);
    expectPost(model, post);
  }
  model.open.push(...posts);
  await learn(model, { wereEnabled, disabled });
  await stage.work(model.endpoints.filter(({ enabled }) => !enabled).map(({ id }) => id));
  const rows = await stage.deliveries();
  learnRows(model, rows, retried);
  for (const event of events) learnReceived(model, event.id, wereEnabled, rows);
  const ended = await stage.replays();
  for (const { id, status } of ended) {
    const replay = model.replays.get(id);
    if (!replay || (status === 'cancelled') === replay.isCancelled) continue;
    expect(id === cancelled || !replay.endpoint.enabled).toBe(true);
    replay.isCancelled = true;
  }
  expectRows(model, rows);
}

const ofReplay = (model: Model, id: string): Endpoint => {
  const replay = model.replays.get(id);
  if (!replay) throw new Error(`${id} is not a replay`);
  return replay.endpoint;
};

/** Ignores the refusal of an action that came too late. */
async function orRefused(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function answerAll(model: Model, how: 'well' | 'failing'): Promise<void>[] {
  return model.open.splice(0).map(async (post) => {
    const event = model.events.get(post.id);
    if (!event) throw new Error(`${post.id} was never published`);
    model.answered += 1;
    const { delivery } = await model.stage.answer(post, answerTo(how, event));
    if (how === 'failing') return;
    model.endpointAt(post.url).accepted.add(post.id);
    model.delivered.add(delivery);
  });
}

/** Reads the resulting state of the endpoints. */
async function learn(
  model: Model,
  {
    wereEnabled,
    disabled,
  }: { readonly wereEnabled: readonly Endpoint[]; readonly disabled: Endpoint | null },
): Promise<void> {
  for (const row of await model.stage.endpoints()) {
    const endpoint = model.endpointOf({ webhook: row.id });
    if (endpoint.isRemoved) continue;
    endpoint.failingSince = row.failing_since?.getTime() ?? null;
    endpoint.pausedUntil = row.paused_until?.getTime() ?? 0;
    if (row.status === 'enabled') {
      expect(wereEnabled).toContain(endpoint);
      continue;
    }
    expect(endpoint === disabled || !wereEnabled.includes(endpoint) || row.disabled_reason).toBeTruthy();
    endpoint.end();
  }
}

/** Reads the rows: a success, a manual retry and the table's failures happened in some order. */
function learnRows(model: Model, rows: readonly DeliveryRow[], retried: DeliveryRow | undefined): void {
  for (const row of rows) {
    if (row.status === 'pending') model.failures.set(row.id, row.tries);
    if (row.id !== retried?.id) continue;
    if (!row.in_order && (row.replay === null || row.retried_of !== null)) model.byHand.add(row.id);
    if (row.status !== 'delivered') model.delivered.delete(row.id);
  }
}

/** An endpoint that was enabled the whole time has a delivery of the event; one that was disabled meanwhile may have one. */
function learnReceived(
  model: Model,
  event: string,
  wereEnabled: readonly Endpoint[],
  rows: readonly DeliveryRow[],
): void {
  for (const endpoint of wereEnabled) {
    const isThere = rows.some(
      (row) =>
        row.webhook === endpoint.id && row.event === event && row.replay === null && row.retried_of === null,
    );
    if (!isThere && !endpoint.enabled) continue;
    endpoint.received.add(event);
    if (endpoint.enabled) endpoint.owed.add(event);
  }
}
