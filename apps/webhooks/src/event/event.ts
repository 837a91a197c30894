import { parseJson, stringifyJson, toUpstream, type Compatibility } from '@fundrail/contracts';
import type { EventRow } from './event.table.ts';

/** The fields of an event that webhooks use. `data_text` is its data as the emitting service serialised it. */
export interface PublicEvent {
  readonly id: string;
  readonly type: string;
  readonly tenant: string;
  readonly aggregate_id: string;
  readonly sequence: number;
  /** ISO 8601 with offset. */
  readonly occurred_at: string;
  readonly data_text: string;
  readonly traceparent: string | null;
}

/** The body of HOOK-10. The data is inserted as received: parsing and serialising it could change numbers. */
export function eventBody(event: Omit<PublicEvent, 'traceparent'>): string {
  const { id, type, data_text: data, occurred_at: time } = event;
  return `{"id":${JSON.stringify(id)},"object":"event","type":${JSON.stringify(type)},"data":${data},"time":${JSON.stringify(time)}}`;
}

/** The body as an endpoint receives it: the stored bytes, or those in the upstream's names, the same at each attempt (COMP-4). */
export function bodyFor(compatibility: Compatibility | null, body: string): string {
  return compatibility === null
    ? body
    : printedAgain(stringifyJson(toUpstream(parseJson(body), compatibility)));
}

/** Receivers of the upstream print the parsed body again and sign that, so numbers have the form that JavaScript gives them (COMP-10). */
function printedAgain(body: string): string {
  return JSON.stringify(JSON.parse(body));
}

/** The kind and id of the event's object. Deliveries of one subject keep their order. */
function subjectOf(event: Pick<PublicEvent, 'type' | 'aggregate_id'>): string {
  return `${event.type.slice(0, event.type.indexOf('.'))}:${event.aggregate_id}`;
}

export function newEventRow(event: PublicEvent, storedAt: Date): EventRow {
  return {
    id: event.id,
    tenant: event.tenant,
    type: event.type,
    object_id: event.aggregate_id,
    subject: subjectOf(event),
    sequence: event.sequence,
    body: eventBody(event),
    occurred_at: new Date(event.occurred_at),
    stored_at: storedAt,
    traceparent: event.traceparent,
  };
}
