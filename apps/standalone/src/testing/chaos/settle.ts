import { setTimeout as pause } from 'node:timers/promises';
import { readInboxes, readOutboxes } from '../crash/event-trail.ts';
import { auditInbox } from '../crash/event-audit.ts';
import type { Buyer } from '../crash/buyer.ts';
import type { Finding } from '../crash/finding.ts';
import type { ProductDatabases } from '../crash/product-databases.ts';
import { unfinishedWork } from '../crash/quiet.ts';
import type { Load } from './load.ts';

/** Wall milliseconds in which the purchases under way have to end, and then the rest; a dead request holds its key for 60 s. */
const WALKS_LIMIT_MS = 300_000;
const REST_LIMIT_MS = 180_000;
/** Wall milliseconds that are given before the clock is moved: most of what is open ends in them. */
const FIRST_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
/** A call that got no answer is made again after 5 s, 30 s, 5 min, 1 h of business time. */
const MINUTES_A_STEP = 1;
const MINUTES_AT_REST = 10;

/**
 * Waits until everything has come to its end after the last fault: the purchases of the load, then every event, effect,
 * delivery and due work. What was put off after a call without an answer is not waited for: the sandbox's clock passes it.
 */
export async function settle(load: Load, operator: Buyer, databases: ProductDatabases): Promise<void> {
  const finished = load.finish();
  let isFinished = false;
  void finished.then(() => (isFinished = true));
  await passTimeUntil(() => Promise.resolve(isFinished), operator, MINUTES_A_STEP, WALKS_LIMIT_MS);
  const isQuiet = async () => (await whatIsOpen(databases)).length === 0;
  await passTimeUntil(isQuiet, operator, MINUTES_AT_REST, REST_LIMIT_MS);
}

/** Everything that has still to happen, effects of events in other services included. */
export async function whatIsOpen(databases: ProductDatabases): Promise<Finding[]> {
  const [work, outbox, inboxes] = await Promise.all([
    unfinishedWork(databases),
    readOutboxes(databases),
    readInboxes(databases),
  ]);
  return [...work, ...inboxes.flatMap((inbox) => auditInbox(outbox, inbox))];
}

/** Returns when it is so and the clock stands still, or when the limit has passed: the audit tells what is missing. */
async function passTimeUntil(
  isSo: () => Promise<boolean>,
  operator: Buyer,
  minutes: number,
  limitMs: number,
): Promise<void> {
  const begin = performance.now();
  const passed = () => performance.now() - begin;
  let moving: Promise<void> | null = null;
  while (passed() < limitMs) {
    const isThere = await isSo().catch(() => false);
    if (isThere && !moving) return;
    if (!isThere && !moving && passed() > FIRST_MS)
      moving = operator.passMinutes(minutes).then(
        () => void (moving = null),
        () => void (moving = null),
      );
    await pause(LOOK_EVERY_MS);
  }
}
