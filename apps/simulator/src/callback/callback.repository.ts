import { randomUUID } from 'node:crypto';
import { scheduleDue } from '@fundrail/service-kit/due';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';

import { takeFault, type LiveFault } from '../fault/fault.repository.ts';
import { inSeconds } from '../sdkvendor/listing.ts';
import { razorpayId } from '../sdkvendor/razorpay-id.ts';
import type { CallbackRow } from './callback.ts';

/** The due kind of the sender; the key is `<topic>/<reference>`, one row for each object. */
export const SEND_CALLBACKS = 'send_callbacks';

// Long enough for the next callback of the same object to arrive, unless that one is delayed.
const REORDER_WAIT_MS = 2_000;
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

/** The content of a gatewaypoa callback: the object as it is now. */
interface CallbackNotice {
  readonly tenant: string;
  readonly topic: 'orders' | 'payments' | 'mandates' | 'plans';
  readonly event: `${'order' | 'payment' | 'transfer' | 'refund' | 'authorisation' | 'debit' | 'mandate' | 'plan'}.updated`;
  readonly reference: string;
  readonly object: object;
}

/** The content of a sdkvendor webhook: the entities as they are now. Webhooks with the same `reference` are sent in order. */
interface WebhookNotice {
  readonly tenant: string;
  readonly reference: string;
  readonly event: string;
  readonly entities: Readonly<Record<string, { readonly id: string } & object>>;
}

interface Addressed {
  readonly tenant: string;
  readonly topic: CallbackRow['topic'];
  readonly reference: string;
}

/** Stores a gatewaypoa callback in the transaction of the change that it reports. It is sent right after the commit. */
export async function recordCallback(tx: Tx, notice: CallbackNotice): Promise<void> {
  const fault = await takeFault(
    tx,
    { target: 'gatewaypoa', operation: `callback_${notice.topic}` },
    notice.tenant,
  );
  const eventId = `gpe_${randomUUID().replaceAll('-', '')}`;
  await store(tx, notice, { eventId, fault, body: bodyOf(notice, eventId, tx.now, fault) });
}

/** The same for a sdkvendor webhook. Its event id goes in a header. */
export async function recordWebhook(tx: Tx, notice: WebhookNotice): Promise<void> {
  const { tenant, reference } = notice;
  const operation = notice.event.startsWith('token.') ? 'callback_mandates' : 'callback_payments';
  const fault = await takeFault(tx, { target: 'sdkvendor', operation }, tenant);
  const body = webhookBodyOf(notice, tx.now, fault);
  await store(tx, { tenant, topic: 'sdkvendor', reference }, { eventId: razorpayId('evt'), fault, body });
}

async function store(
  tx: Tx,
  { tenant, topic, reference }: Addressed,
  { eventId, fault, body }: { eventId: string; fault: LiveFault | null; body: string },
): Promise<void> {
  const dropped = fault?.kind === 'drop';
  const content = [body, fault?.kind ?? null, notBefore(fault, tx.now), tx.now];
  const ended = dropped ? [tx.now, 'dropped'] : [null, null];
  await tx.query(insert, [eventId, tenant, topic, reference, ...content, ...ended]);
  await scheduleDue(tx, { kind: SEND_CALLBACKS, key: `${topic}/${reference}`, tenant, due_at: tx.now });
}

export function unsentCallbacks(db: Queryable, topic: string, reference: string): Promise<CallbackRow[]> {
  return db.query<CallbackRow>(unsent, [topic, reference]);
}

/** Ends a callback, and releases earlier ones that the fault `reorder` held back until this one was sent. */
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
  if (fault?.kind === 'reorder') return new Date(now.getTime() + (fault.delay_ms ?? REORDER_WAIT_MS));
  return now;
}

/** The fault `nonsense` keeps the signature, the event id and the reference, but sends an unknown status. */
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

/** The fault `nonsense` keeps the ids, but sends an unknown status. */
function webhookBodyOf({ event, entities }: WebhookNotice, now: Date, fault: LiveFault | null): string {
  const payload = Object.entries(entities).map(([name, entity]) => [
    name,
    { entity: fault?.kind === 'nonsense' ? { ...entity, status: 'teleported' } : entity },
  ]);
  return JSON.stringify({
    ...{ entity: 'event', account_id: 'acc_fundrailsandbox', event, contains: Object.keys(entities) },
    payload: Object.fromEntries(payload) as object,
    created_at: inSeconds(now),
  });
}
