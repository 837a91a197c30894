import { isUtf8 } from 'node:buffer';
import { eventEnvelope, type EventEnvelope } from '@fundrail/contracts';
import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { topicOf, type UnreadableMessage } from '../event-bus.port.ts';

/** A message as read: an event, or the readable fields of a message that is not one. */
type ReadMessage =
  | { readonly event: EventEnvelope; readonly unreadable: null }
  | { readonly event: null; readonly unreadable: UnreadableMessage };

/** The parts of a message that are read. */
export type WireMessage = Pick<KafkaMessage, 'key' | 'value' | 'headers' | 'offset'>;

/** The position of a message. `topic` is without the installation's prefix. */
interface MessagePlace {
  readonly topic: string;
  readonly partition: number;
}

/** The event as a Kafka message: its aggregate is the key, its data the value, byte for byte; all other fields are headers. */
export function toMessage(event: EventEnvelope): Message {
  const headers: IHeaders = {
    event_id: event.id,
    event_type: event.type,
    event_version: String(event.version),
    occurred_at: event.occurred_at,
    tenant: event.tenant,
    sequence: String(event.sequence),
  };
  if (event.traceparent !== null) headers['traceparent'] = event.traceparent;
  return { key: event.aggregate_id, value: event.data, headers };
}

/** Reads a message. One that is not an event is returned as unreadable, with a reason: it is parked, never dropped. */
export function readMessage(place: MessagePlace, message: WireMessage): ReadMessage {
  const fields = fieldsOf(message);
  const { data: event, error } = eventEnvelope.safeParse({
    ...fields,
    version: numberOf(fields['version']),
    sequence: numberOf(fields['sequence']),
  });
  const reason = error
    ? `not an event: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`
    : misfit(place, message, event);
  if (event && !reason) return { event, unreadable: null };
  return { event: null, unreadable: remains(place, message, fields, reason ?? 'not an event') };
}

/** Why a readable event is not valid in this topic; null when it is. */
function misfit({ topic }: MessagePlace, { value }: WireMessage, { type }: EventEnvelope): string | null {
  if (topicOf(type) !== topic) return `events of the type ${type} do not belong here`;
  return value && !isUtf8(value) ? 'the data is not UTF-8' : null;
}

function fieldsOf({ key, value, headers = {} }: WireMessage): Record<string, string | null> {
  return {
    id: header(headers, 'event_id'),
    type: header(headers, 'event_type'),
    version: header(headers, 'event_version'),
    occurred_at: header(headers, 'occurred_at'),
    tenant: header(headers, 'tenant'),
    aggregate_id: text(key),
    sequence: header(headers, 'sequence'),
    data: text(value),
    traceparent: header(headers, 'traceparent'),
  };
}

function remains(
  { topic, partition }: MessagePlace,
  { offset }: WireMessage,
  fields: Record<string, string | null>,
  reason: string,
): UnreadableMessage {
  return {
    id: fields['id'] ?? `${topic}/${partition}/${offset}`,
    topic,
    aggregate_id: fields['aggregate_id'] ?? '',
    sequence: numberOf(fields['sequence']) ?? 0,
    fields,
    reason,
  };
}

function header(headers: IHeaders, name: string): string | null {
  const value = headers[name];
  return text(Array.isArray(value) ? value[0] : value);
}

/** PostgreSQL cannot store NUL, so it is removed; our events never contain it. */
function text(bytes: Buffer | string | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : bytes.toString('utf8').replaceAll('\0', '\u{fffd}');
}

/** A whole number that fits the columns, or undefined. */
function numberOf(value: string | null | undefined): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
