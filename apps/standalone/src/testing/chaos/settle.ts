import { waitFor } from '@fundrail/testing';
import { auditInbox } from '../crash/event-audit.ts';
import { readInboxes, readOutboxes } from '../crash/event-trail.ts';
import type { Finding } from '../crash/finding.ts';
import type { DatabaseLooks } from '../crash/product-databases.ts';
import { unfinishedWork } from '../crash/quiet.ts';
import type { FastClock } from './fast-clock.ts';
import type { Load } from './load.ts';

/** Wall milliseconds in which the purchases under way have to end, and then the rest; a dead request holds its key for 60 s. */
const WALKS_LIMIT_MS = 300_000;
const REST_LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 1_000;
/** A call without an answer is made again after 5 s, 30 s, 5 min, 1 h, a webhook after up to 5 h: all of it may pass here. */
const SPEED = 60;

/**
 * Waits until everything has come to its end after the last fault: the purchases of the load, then every event, effect,
 * delivery and due work. Returns when it is so, or when the limits have passed: the audit tells what is missing.
 */
export async function settle(load: Load, clock: FastClock, databases: DatabaseLooks): Promise<void> {
  let haveEnded = false;
  void load.finish().then(() => (haveEnded = true));
  clock.goAt(SPEED);
  await untilOrSo(() => haveEnded, WALKS_LIMIT_MS);
  const isQuiet = async () => (await whatIsOpen(databases)).length === 0;
  await untilOrSo(isQuiet, REST_LIMIT_MS);
  // With the clock goes what would fall due while the audit looks.
  clock.goAt(1);
  await untilOrSo(isQuiet, REST_LIMIT_MS);
}

async function untilOrSo(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  await waitFor(isSo, { limitMs, everyMs: LOOK_EVERY_MS }).catch(() => undefined);
}

/** Everything that has still to happen, effects of events in other services included. */
export async function whatIsOpen(databases: DatabaseLooks): Promise<Finding[]> {
  const [work, outbox, inboxes] = await Promise.all([
    unfinishedWork(databases),
    readOutboxes(databases),
    readInboxes(databases),
  ]);
  return [...work, ...inboxes.flatMap((inbox) => auditInbox(outbox, inbox))];
}
