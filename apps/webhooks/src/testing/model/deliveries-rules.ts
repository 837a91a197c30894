import type { WebhookReplayDto } from '@fundrail/contracts';
import type { DeliveryRow } from '../../delivery/delivery.table.ts';
import type { Model } from './deliveries-model.ts';
import { AT_ONCE, REPLAYED_AT_ONCE } from './deliveries-stage.ts';
import type { HeldPost } from './held-sender.ts';

/** Above these numbers of pending or untried deliveries, a replay creates none. Repeated here from docs/webhooks.md. */
const MOST_PENDING = 900;
const MOST_UNTRIED = 50;

const isUnderWay = (row: DeliveryRow, now: number) => (row.leased_until?.getTime() ?? 0) > now;
const isEarlier = (one: DeliveryRow, other: DeliveryRow) =>
  one.webhook === other.webhook && one.subject === other.subject && one.sequence < other.sequence;

/** The rules that hold for all deliveries at any time. */
export function expectRows(model: Model, rows: readonly DeliveryRow[]): void {
  const { now } = model;
  const pending = rows.filter(({ status }) => status === 'pending');
  for (const row of rows) {
    const isReplayed = row.replay !== null || row.retried_of !== null;
    expect([row.id, row.in_order]).toEqual([row.id, !isReplayed && !model.byHand.has(row.id)]);
    expect([row.id, row.status === 'delivered']).toEqual([row.id, model.delivered.has(row.id)]);
    expect(row.retried_of === null || model.byHand.has(row.id)).toBe(true);
  }
  for (const row of pending) {
    const endpoint = model.endpointOf(row);
    expect([row.id, endpoint.enabled]).toEqual([row.id, true]);
    if (!row.in_order) continue;
    const earlier = pending.filter((other) => other.in_order && isEarlier(other, row)).map(({ id }) => id);
    // The first delivery of an object has a due time, and those behind it have none.
    expect([row.id, row.due_at === null]).toEqual([row.id, earlier.length > 0]);
    if (isUnderWay(row, now)) expect([row.id, earlier]).toEqual([row.id, []]);
  }
  for (const { id } of model.endpoints) {
    const underWay = pending.filter((row) => row.webhook === id && isUnderWay(row, now));
    expect(underWay.length).toBeLessThanOrEqual(AT_ONCE);
    expect(underWay.filter(({ replay }) => replay !== null).length).toBeLessThanOrEqual(REPLAYED_AT_ONCE);
  }
  expectOneOfEach(model, rows);
}

/** Each event has exactly one delivery to each endpoint that was enabled, and none to others. */
function expectOneOfEach(model: Model, rows: readonly DeliveryRow[]): void {
  for (const { id, received } of model.endpoints) {
    const own = rows.filter((row) => row.webhook === id && row.replay === null && row.retried_of === null);
    expect(own.map(({ event }) => event).sort()).toEqual([...received].sort());
  }
}

/** The rules for the POSTs that one replica has just sent, while nothing else happened. */
export function expectSent(
  model: Model,
  posts: readonly HeldPost[],
  { before, after }: { readonly before: readonly DeliveryRow[]; readonly after: readonly DeliveryRow[] },
): void {
  const { now } = model;
  const known = new Map(before.map((row) => [row.id, row]));
  const leased = after.filter((row) => {
    const earlier = known.get(row.id);
    return row.lease_token !== null && row.lease_token !== earlier?.lease_token;
  });
  const sent = posts.map(({ url, id }) => `${url} ${id}`);
  expect(leased.map((row) => `${model.endpointOf(row).url} ${row.event}`).sort()).toEqual(sent.sort());
  for (const row of leased) {
    const endpoint = model.endpointOf(row);
    const earlier = known.get(row.id);
    expect(earlier && isUnderWay(earlier, now)).toBe(false);
    expect(now).toBeGreaterThanOrEqual(endpoint.pausedUntil);
    expect(row.due_at?.getTime()).toBeLessThanOrEqual(now);
    if (endpoint.failingSince !== null)
      expect(after.filter((other) => other.webhook === row.webhook && isUnderWay(other, now))).toHaveLength(
        1,
      );
  }
  for (const post of posts) expectPost(model, post);
}

/** A replay is never ahead of a new event that could go to the endpoint, even when a replica leases replays only. */
export function expectBehindNew(
  { now }: Model,
  replayed: readonly Pick<DeliveryRow, 'webhook'>[],
  rows: readonly DeliveryRow[],
): void {
  const waits = rows.filter((row) => replayed.some(({ webhook }) => isNew(row, webhook, now)));
  expect(waits.map(({ id }) => id)).toEqual([]);
}

/** Whether a delivery that is not part of a replay could go to the endpoint now. */
const isNew = (row: DeliveryRow, webhook: string, now: number) =>
  row.webhook === webhook &&
  row.replay === null &&
  row.status === 'pending' &&
  row.due_at !== null &&
  row.due_at.getTime() <= now &&
  !isUnderWay(row, now);

/** Every attempt of an event has the same id and bytes, and is signed by all valid secrets. */
export function expectPost(model: Model, { url, id, body, secrets }: HeldPost): void {
  const endpoint = model.endpointAt(url);
  const event = model.events.get(id);
  if (!event) throw new Error(`${id} was never published`);
  const time = new Date(event.at).toISOString();
  expect(body).toBe(`{"id":"${id}","object":"event","type":"payment.updated","data":{},"time":"${time}"}`);
  expect(secrets).toEqual(endpoint.secretsAt(model.now));
}

/** The rules for replays when no more deliveries are to be created. */
export function expectReplays(
  model: Model,
  replays: readonly WebhookReplayDto[],
  rows: readonly DeliveryRow[],
): void {
  expect(replays.map(({ id }) => id).sort()).toEqual([...model.replays.keys()].sort());
  for (const shown of replays) {
    const known = model.replays.get(shown.id);
    if (!known) continue;
    const made = rows.filter((row) => row.replay === shown.id || row.retried_of === shown.id);
    const [events, live] = [
      made.map(({ event }) => event),
      made.filter(({ replay, status }) => replay !== null && status === 'pending'),
    ];
    expect(new Set(events).size).toBe(events.length);
    expect(events.filter((event) => !known.matched.has(event))).toEqual([]);
    expect(made.filter((row) => row.webhook !== known.endpoint.id)).toEqual([]);
    const count = (status: DeliveryRow['status']) => made.filter((row) => row.status === status).length;
    expect(shown).toMatchObject({
      matched: known.matched.size,
      sent: made.filter(({ id }) => model.delivered.has(id)).length,
      failed: count('failed'),
    });
    const untried = live.filter(({ tries }) => tries === 0).length;
    const isFull = live.length > MOST_PENDING || untried > MOST_UNTRIED;
    const isDone = made.length === known.matched.size && live.length === 0;
    const status = known.isCancelled ? 'cancelled' : isDone ? 'completed' : 'running';
    expect([shown.id, shown.status]).toEqual([shown.id, status]);
    if (status === 'cancelled') expect(live).toEqual([]);
    if (status === 'running') expect(made.length === known.matched.size || isFull).toBe(true);
  }
}
