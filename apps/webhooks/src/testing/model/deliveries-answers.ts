import type { AttemptAnswer } from '../../delivery/delivery.ts';
import type { DeliveryRow } from '../../delivery/delivery.table.ts';
import { answerTo, type Endpoint, type Model } from './deliveries-model.ts';
import { expectRows } from './deliveries-rules.ts';
import { TABLE_MS } from './deliveries-steps.ts';
import type { HeldPost } from './held-sender.ts';

const LONGEST_FAILURE_MS = 5 * 24 * 3_600_000;
const MOST_ATTEMPTS = 10;
const JITTER = 0.1;

/** Responds to one POST for the endpoint, and checks all consequences. Returns the deliveries afterwards. */
export async function answer(
  model: Model,
  post: HeldPost,
  before: readonly DeliveryRow[],
): Promise<DeliveryRow[]> {
  const { stage, now } = model;
  const endpoint = model.endpointAt(post.url);
  const event = model.events.get(post.id);
  if (!event) throw new Error(`${post.id} was never published`);
  const given = answerTo(endpoint.how, event);
  const running = given.status === 204 ? [] : await model.runningReplays();
  model.answered += 1;
  const { delivery, token } = await stage.answer(post, given);
  const after = await stage.deliveries();
  const was = rowOf(before, delivery);
  const row = rowOf(after, delivery);
  const isOfOldUrl = post.url !== endpoint.url;
  const wasFailing = endpoint.failingSince !== null;
  if (endpoint.enabled && !isOfOldUrl) followHealth(endpoint, given, now);
  const stored = (await stage.endpoints()).find(({ id }) => id === endpoint.id);
  if (!endpoint.isRemoved) expect(stored?.status).toBe(endpoint.enabled ? 'enabled' : 'disabled');
  if (given.status === 204) {
    endpoint.accepted.add(post.id);
    model.delivered.add(delivery);
    expectHastened(wasFailing && endpoint.failingSince === null, endpoint, after, now);
  } else if (endpoint.enabled) {
    const isOurs = was.status === 'pending' && was.lease_token === token;
    if (isOurs) expectPutOff(model, { was, row, given, isOfOldUrl });
    else expect(row).toEqual(was);
  }
  if (!endpoint.enabled) model.end(endpoint, running);
  expectRows(model, after);
  return after;
}

function rowOf(rows: readonly DeliveryRow[], id: string): DeliveryRow {
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`unknown delivery ${id}`);
  return row;
}

/** HOOK-1: updates the endpoint's health after a response. */
function followHealth(endpoint: Endpoint, given: AttemptAnswer, now: number): void {
  if (given.status === 204) {
    endpoint.failingSince = null;
    return;
  }
  endpoint.failingSince ??= now;
  if (given.retry_after_ms !== null)
    endpoint.pausedUntil = Math.max(endpoint.pausedUntil, now + given.retry_after_ms);
  if (given.status === 410 || now - endpoint.failingSince >= LONGEST_FAILURE_MS) endpoint.enabled = false;
}

/** The first success after failures makes all waiting deliveries due, except those that were hastened before and failed. */
function expectHastened(isWell: boolean, { id }: Endpoint, rows: readonly DeliveryRow[], now: number): void {
  if (!isWell) return;
  const waiting = rows.filter(
    (row) =>
      row.webhook === id && row.due_at !== null && row.due_at.getTime() > now && row.planned_at === null,
  );
  expect(waiting).toEqual([]);
}

/** The retry table, and the last attempt of it. */
function expectPutOff(
  model: Model,
  of: {
    readonly was: DeliveryRow;
    readonly row: DeliveryRow;
    readonly given: AttemptAnswer;
    readonly isOfOldUrl: boolean;
  },
): void {
  const { was, row, given, isOfOldUrl } = of;
  const { now } = model;
  const known = model.failures.get(row.id) ?? 0;
  const due = row.due_at?.getTime() ?? 0;
  if (isOfOldUrl) {
    expect([row.status, row.tries, due]).toEqual(['pending', known, now]);
    return;
  }
  if (was.planned_at !== null && was.planned_at.getTime() > now) {
    expect(due).toBeGreaterThanOrEqual(was.planned_at.getTime());
    expect([row.status, row.tries]).toEqual(['pending', known]);
    return;
  }
  const count = known + 1;
  model.failures.set(row.id, count);
  const isLast = count === MOST_ATTEMPTS;
  expect([row.status, row.tries, row.failure_code]).toEqual(
    isLast ? ['failed', count, 'attempts_exhausted'] : ['pending', count, null],
  );
  const pause = TABLE_MS[count - 1];
  if (pause === undefined) return;
  const asked = given.retry_after_ms ?? 0;
  expect(due - now).toBeGreaterThanOrEqual(Math.max(Math.floor(pause * (1 - JITTER)), asked));
  expect(due - now).toBeLessThanOrEqual(Math.max(Math.ceil(pause * (1 + JITTER)), asked));
}
