import type { ErrorCode } from '@fundrail/contracts';
import { oneDelivery, type Endpoint, type Model } from './deliveries-model.ts';
import type { Step } from './deliveries-steps.ts';
import { race } from './deliveries-race.ts';

const DAY = 24 * 3_600_000;

/** Executes a step, and updates the model with the expected result. */
export async function act(model: Model, step: Step): Promise<void> {
  switch (step.do) {
    case 'publish':
      return publish(model, step.object, step.count);
    case 'advance':
      model.stage.clock.advance(step.ms);
      return;
    case 'answer':
      model.one(step.at).how = step.how;
      return;
    case 'retry':
      return retry(model, step.which);
    case 'replay':
      return startReplay(model, model.one(step.at), step.hours);
    case 'race':
      return race(model, step.race);
    default:
      return ACTS[step.do](model, model.one(step.at));
  }
}

const ACTS = { enable, disable, rotate, url: move, remove, cancel } as const;

async function publish(model: Model, object: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const event = model.nextEvent(object);
    await model.stage.publish(event);
    for (const endpoint of model.endpoints.filter(({ enabled }) => enabled)) {
      endpoint.received.add(event.id);
      endpoint.owed.add(event.id);
    }
  }
}

async function enable({ stage }: Model, endpoint: Endpoint): Promise<void> {
  await stage.put(endpoint.id, { status: 'enabled' });
  if (!endpoint.enabled) [endpoint.failingSince, endpoint.pausedUntil] = [null, 0];
  endpoint.enabled = true;
}

async function disable(model: Model, endpoint: Endpoint): Promise<void> {
  const running = await model.runningReplays();
  await model.stage.put(endpoint.id, { status: 'disabled' });
  model.end(endpoint, running);
}

/** Deletes the endpoint and creates another one, so that there is always one. */
async function remove(model: Model, endpoint: Endpoint): Promise<void> {
  const running = await model.runningReplays();
  await model.stage.remove(endpoint.id);
  endpoint.isRemoved = true;
  model.end(endpoint, running);
  await model.addEndpoint();
}

async function rotate(model: Model, endpoint: Endpoint): Promise<void> {
  if (endpoint.secretsAt(model.now).length >= 10) return;
  for (const known of endpoint.secrets) known.until = Math.min(known.until, model.now + DAY);
  endpoint.secrets.unshift({ secret: await model.stage.rotate(endpoint.id), until: Infinity });
}

/** Waiting deliveries are due now at the new URL, because the old URL's failures do not count for it. */
async function move({ stage }: Model, endpoint: Endpoint): Promise<void> {
  await stage.put(endpoint.id, { url: endpoint.move() });
  const waiting = (await stage.deliveries()).filter(
    ({ webhook, due_at: at }) => webhook === endpoint.id && at !== null && at > stage.clock.now(),
  );
  expect(waiting).toEqual([]);
}

async function startReplay(model: Model, endpoint: Endpoint, hours: number): Promise<void> {
  const { stage, now } = model;
  const isRunning = model.runningReplay(endpoint, await model.runningReplays()) !== null;
  const from = new Date(now - hours * 3_600_000);
  const started = stage.startReplay(endpoint.id, from);
  if (isRunning || !endpoint.enabled) return refused(started, 'ILLEGAL_TRANSITION');
  const { id, matched } = await started;
  const events = [...model.events.values()].filter(({ at }) => at >= from.getTime());
  expect(matched).toBe(events.length);
  model.replays.set(id, {
    endpoint,
    matched: new Set(events.map((event) => event.id)),
    isCancelled: false,
  });
}

async function cancel(model: Model, endpoint: Endpoint): Promise<void> {
  const { stage } = model;
  const id = model.runningReplay(endpoint, await model.runningReplays());
  const replay = id === null ? undefined : model.replays.get(id);
  if (id === null || !replay) return;
  await stage.cancelReplay(endpoint.id, id);
  replay.isCancelled = true;
  await refused(stage.cancelReplay(endpoint.id, id), 'ILLEGAL_TRANSITION');
}

async function retry(model: Model, which: number): Promise<void> {
  const rows = await model.stage.deliveries();
  const row = oneDelivery(rows, which);
  if (!row) return;
  const endpoint = model.endpointOf(row);
  const retried = model.stage.retry(row.id);
  if (endpoint.isRemoved) return refused(retried, 'NOT_FOUND');
  if (!endpoint.enabled) return refused(retried, 'ILLEGAL_TRANSITION');
  await retried;
  model.byHand.add(row.id);
  model.delivered.delete(row.id);
  model.failures.delete(row.id);
  endpoint.pausedUntil = 0;
}

async function refused(asked: Promise<unknown>, code: ErrorCode): Promise<void> {
  await expect(asked).rejects.toMatchObject({ code });
}
