import { randomUUID } from 'node:crypto';
import { scheduleDue } from '@fundrail/service-kit/due';
import type { Queryable, Tx } from '@fundrail/persistence';
import { takeFault, type LiveFault } from '../fault/fault.repository.ts';
import { inSeconds } from '../sdkvendor/listing.ts';
import { razorpayId } from '../sdkvendor/razorpay-id.ts';
import { store } from '../store/simulator.tables.ts';
import type { CallbackRow } from './callback.ts';

/** The due kind of the sender; the key is `<topic>/<reference>`, one row for each object. */
export const SEND_CALLBACKS = 'send_callbacks';

// Long enough for the next callback of the same object to arrive, unless that one is delayed.
const REORDER_WAIT_MS = 2_000;
const DEFAULT_DELAY_MS = 6_000;

/** The content of a gatewaypoa callback: the object as it is now. */
interface CallbackNotice {
  readonly tenant: string;
  readonly topic: 'orders' | 'payments' | 'mandates' | 'plans';
  readonly event: `${'order' | 'payment' | 'transfer' | 'refund' | 'authorisation' | 'debit' | 'notice' | 'mandate' | 'plan'}.updated`;
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

/** Stores a gatewaypoa callback in the transaction of the change that it reports. It is sent right after the commit. */
export async function recordCallback(tx: Tx, notice: CallbackNotice): Promise<void> {
  const fault = await takeFault(
    tx,
    { target: 'gatewaypoa', operation: `callback_${notice.topic}` },
    notice.tenant,
  );
  const eventId = `gpe_${randomUUID().replaceAll('-', '')}`;
  await keep(tx, notice, { eventId, fault, body: bodyOf(notice, eventId, tx.now, fault) });
}

/** The same for a sdkvendor webhook. Its event id goes in a header. */
export async function recordWebhook(tx: Tx, notice: WebhookNotice): Promise<void> {
  const { tenant, reference } = notice;
  const operation = notice.event.startsWith('token.') ? 'callback_mandates' : 'callback_payments';
  const fault = await takeFault(tx, { target: 'sdkvendor', operation }, tenant);
  const body = webhookBodyOf(notice, tx.now, fault);
  await keep(tx, { tenant, topic: 'sdkvendor', reference }, { eventId: razorpayId('evt'), fault, body });
}

async function keep(
  tx: Tx,
  { tenant, topic, reference }: Pick<CallbackRow, 'tenant' | 'topic' | 'reference'>,
  { eventId, fault, body }: { eventId: string; fault: LiveFault | null; body: string },
): Promise<void> {
  const ended = fault?.kind === 'drop' ? 'dropped' : null;
  await store.callbacks.insert(tx, {
    ...{ event_id: eventId, tenant, topic, reference, body, fault: fault?.kind ?? null, created_at: tx.now },
    ...{ not_before: notBefore(fault, tx.now), ended, ended_at: ended && tx.now },
  });
  await scheduleDue(tx, { kind: SEND_CALLBACKS, key: `${topic}/${reference}`, tenant, due_at: tx.now });
}

/** Ends a callback, and releases earlier ones that the fault `reorder` held back until this one was sent. */
export async function endCallback(
  db: Queryable,
  { id, topic, reference }: CallbackRow,
  ended: 'delivered' | 'given_up',
  at: Date,
): Promise<void> {
  await store.callbacks.update(db, { id, ended: null }, { ended, ended_at: at });
  const overtaken = { topic, reference, id: { before: id }, fault: 'reorder', ended: null } as const;
  await store.callbacks.update(db, overtaken, { not_before: at });
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
