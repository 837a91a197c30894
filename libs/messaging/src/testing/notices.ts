import { istTimestamp, newId, type EventEnvelope, type EventObject } from '@fundrail/contracts';
import { eventsOf, type NewEvent } from '../new-event.ts';

/** The aggregate of these tests: the catalogue's smallest object, counting its events. */
export interface NoticeRow {
  readonly id: string;
  readonly tenant: string;
  readonly event_seq: number;
  readonly url: string;
}

export function toNotice(row: NoticeRow): EventObject<'notification_webhook.test'> {
  return { object: 'notification_webhook', id: row.id, url: row.url, status: 'enabled' };
}

/** The event number `sequence` of an aggregate, as the outbox takes it. */
export function newNotice(aggregateId: string, sequence = 1): NewEvent {
  const row = {
    id: aggregateId,
    tenant: 'demo',
    event_seq: sequence,
    url: `https://buyer.example/${sequence}`,
  };
  const decision = { row, events: ['notification_webhook.test'] as const };
  const [event] = eventsOf({ decision, before: null, aggregateId, toObject: toNotice, now: new Date() });
  if (!event) throw new Error('one event was requested');
  return event;
}

/** The same as an envelope on the bus. Given fields replace its own. */
export function noticeEnvelope(
  aggregateId: string,
  sequence = 1,
  fields: Partial<EventEnvelope> = {},
): EventEnvelope {
  const { occurred_at, ...event } = newNotice(aggregateId, sequence);
  return { ...event, occurred_at: istTimestamp(occurred_at), ...fields };
}

/** An aggregate id that no other test has. */
export function aggregateId(): string {
  return newId('notificationWebhook');
}
