import { randomUUID } from 'node:crypto';
import { scheduleDue } from '@fundrail/service-kit/due';
import { sql } from '@fundrail/service-kit/db';
import type { Queryable, Tx } from '@fundrail/service-kit/db';

import { takeFault } from '../fault/fault.repository.ts';
import type { LiveFault } from '../fault/fault.repository.ts';
import type { CallbackRow } from './callback.ts';

/** The due kind of the sender; the key is `<topic>/<reference>`, one row for each object. */
export const SEND_CALLBACKS = 'send_callbacks';

// Long enough for the next callback of the same object to come up, when nothing delays it.
const REORDER_PATIENCE_MS = 2_000;
const DEFAULT_DELAY_MS = 6_000;

const insert = sql(
  'callbacks.insert',
  `INSERT INTO callbacks (event_id, tenant, topic, reference, body, fault, not_before, created_at, ended_at, ended)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const unsent = sql(
  'callbacks.unsent',
  'SELECT * FROM callbacks WHERE topic = $1 AND reference = $2 AND ended IS NULL ORDER BY id',
);
const end = sql(
  'callbacks.end',
  'UPDATE callbacks SET ended = $2, ended_at = $3 WHERE id = $1 AND ended IS NULL',
);
const releaseOvertaken = sql(
  'callbacks.release_overtaken',
  `UPDATE callbacks c SET not_before = $2 FROM callbacks later
    WHERE later.id = $1 AND c.topic = later.topic AND c.reference = later.reference AND c.id < later.id
      AND c.fault = 'reorder' AND c.ended IS NULL`,
);

/** What a callback tells: the object as it is now. */
export interface CallbackNotice {
  readonly tenant: string;
  readonly topic: CallbackRow['topic'];
  readonly event: 'order.updated' | 'payment.updated' | 'transfer.updated' | 'refund.updated';
  readonly reference: string;
  readonly object: object;
}

/** Notes a callback in the transaction of the change that it tells of, and has it sent right after. */
export async function recordCallback(tx: Tx, notice: CallbackNotice): Promise<void> {
  const fault = await takeFault(tx, `callback_${notice.topic}`, notice.tenant);
  const eventId = `gpe_${randomUUID().replaceAll('-', '')}`;
  const dropped = fault?.kind === 'drop';
  const addressed = [eventId, notice.tenant, notice.topic, notice.reference];
  const content = [
    bodyOf(notice, eventId, tx.now, fault),
    fault?.kind ?? null,
    notBefore(fault, tx.now),
    tx.now,
  ];
  await tx.query(insert, [...addressed, ...content, dropped ? tx.now : null, dropped ? 'dropped' : null]);
  const key = `${notice.topic}/${notice.reference}`;
  await scheduleDue(tx, { kind: SEND_CALLBACKS, key, tenant: notice.tenant, due_at: tx.now });
}

export function unsentCallbacks(db: Queryable, topic: string, reference: string): Promise<CallbackRow[]> {
  return db.query<CallbackRow>(unsent, [topic, reference]);
}

/** A callback that waited to be overtaken by this one may go now. */
export async function endCallback(
  db: Queryable,
  id: number,
  ended: 'delivered' | 'given_up',
  at: Date,
): Promise<void> {
  await db.query(end, [id, ended, at]);
  await db.query(releaseOvertaken, [id, at]);
}

function notBefore(fault: LiveFault | null, now: Date): Date {
  if (fault?.kind === 'delay') return new Date(now.getTime() + (fault.delay_ms ?? DEFAULT_DELAY_MS));
  if (fault?.kind === 'reorder') return new Date(now.getTime() + (fault.delay_ms ?? REORDER_PATIENCE_MS));
  return now;
}

/** `nonsense` keeps the signature, the event's id and the reference, but says a word that nobody knows. */
function bodyOf(notice: CallbackNotice, eventId: string, now: Date, fault: LiveFault | null): string {
  const name = notice.event.split('.')[0] ?? notice.event;
  const object =
    fault?.kind === 'nonsense' ? { reference: notice.reference, status: 'teleported' } : notice.object;
  return JSON.stringify({
    event_id: eventId,
    event: notice.event,
    reference: notice.reference,
    created_at: now.toISOString(),
    [name]: object,
  });
}
