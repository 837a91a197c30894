import { waitFor } from '@fundrail/testing';
import { auditInbox } from '../crash/event-audit.ts';
import { readInboxes, readOutboxes } from '../crash/event-trail.ts';
import type { Finding } from '../crash/finding.ts';
import type { DatabaseView } from '../crash/product-databases.ts';
import { isQuiet, unfinishedWork } from '../crash/quiet.ts';
import type { FastClock } from './fast-clock.ts';
import type { Load } from './load.ts';

/** The limit for the purchases under way, and then for the rest, in wall milliseconds; a dead request holds its key for 60 s. */
const WALKS_LIMIT_MS = 300_000;
const REST_LIMIT_MS = 180_000;
const LOOK_EVERY_MS = 1_000;
/** A call without an answer is retried after 5 s, 30 s, 5 min, 1 h, a webhook after up to 5 h: all of that has to pass here. */
const SPEED = 60;

/**
 * Waits until everything has ended after the last fault: the purchases of the load, then every event, effect, delivery and due
 * work. Returns then, or when the limits have passed: the audit reports what is missing.
 */
export async function settle(load: Load, clock: FastClock, databases: DatabaseView): Promise<void> {
  let haveEnded = false;
  void load.finish().then(() => (haveEnded = true));
  clock.goAt(SPEED);
  await untilOrSo(() => haveEnded, WALKS_LIMIT_MS);
  const hasEnded = () => isQuiet(databases, () => whatIsOpen(databases));
  await untilOrSo(hasEnded, REST_LIMIT_MS);
  // At the usual pace nothing more falls due during the audit.
  clock.goAt(1);
  await untilOrSo(hasEnded, REST_LIMIT_MS);
}

async function untilOrSo(isSo: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  await waitFor(isSo, { limitMs, everyMs: LOOK_EVERY_MS }).catch(() => undefined);
}

/** Everything that is still to be done, including the effects of events in other services. */
export async function whatIsOpen(databases: DatabaseView): Promise<Finding[]> {
  const [work, outbox, inboxes] = await Promise.all([
    unfinishedWork(databases),
    readOutboxes(databases),
    readInboxes(databases),
  ]);
  return [...work, ...inboxes.flatMap((inbox) => auditInbox(outbox, inbox))];
}
