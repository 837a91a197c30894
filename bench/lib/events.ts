import { parseJson, stringifyJson, type EventEnvelope } from '@fundrail/contracts';
import { readFileSync } from 'node:fs';

const GOLDEN = new URL('../../libs/contracts/src/events/golden/payment.updated.json', import.meta.url);

/** The data of a real `payment.updated`, as long as they are: 900 bytes. */
export const EVENT_DATA = stringifyJson(parseJson(readFileSync(GOLDEN, 'utf8')));

export const TENANT = 'bench';
export const TOPIC = 'payment';

/** An event's id made of a number, in the form that ids have. */
export function eventId(number: number): string {
  return `evt_${number.toString(16).padStart(32, '0')}`;
}

export function newEvent(number: number, aggregate: number, sequence: number): EventEnvelope {
  return {
    id: eventId(number),
    type: 'payment.updated',
    version: 1,
    occurred_at: '2026-01-05T10:01:45.020+05:30',
    tenant: TENANT,
    aggregate_id: String(aggregate),
    sequence,
    data: EVENT_DATA,
    traceparent: null,
  };
}
