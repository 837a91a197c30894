import { EVENTS, type EventType } from '@fundrail/contracts';
import type { Golden } from '../golden.ts';
import { RECORD_HEADERS, RECORD_KEY } from '../kafka-record.ts';
import { dataSchemaName, webhookSchema } from './schemas.ts';
import { titled } from './titles.ts';

/** The version of the Kafka binding. */
export const KAFKA = { bindingVersion: '0.5.0' };

const EXAMPLE_ID = 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
const EXAMPLE_TIME = '2026-01-05T10:01:45.020+05:30';

/** The headers of a Kafka record. */
export const recordHeaders = {
  type: 'object',
  properties: Object.fromEntries(
    RECORD_HEADERS.map(({ name, schema, meaning }) => [name, { ...schema, description: meaning }]),
  ),
  required: RECORD_HEADERS.filter(({ required }) => required).map(({ name }) => name),
};

/** Standard Webhooks 1.0. */
export const WEBHOOK_HEADERS = {
  type: 'object',
  properties: {
    'webhook-id': { type: 'string', description: "the event's id: the same at every attempt" },
    'webhook-timestamp': {
      type: 'string',
      pattern: '^[0-9]+$',
      description: 'seconds since 1970, of this attempt',
    },
    'webhook-signature': {
      type: 'string',
      description: '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`',
    },
  },
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
};

/** An event as a Kafka record: its value is the data alone, all else is in the headers. */
export function eventMessage(type: EventType, golden: readonly Golden[]): object {
  return {
    name: type,
    summary: EVENTS[type].when,
    headers: titled(`${type}.headers`, {
      allOf: [
        { $ref: '#/components/schemas/EventHeaders' },
        {
          properties: { event_type: { const: type }, event_version: { const: String(EVENTS[type].version) } },
        },
      ],
    }),
    payload: { $ref: `#/components/schemas/${dataSchemaName(type)}` },
    examples: golden.map(({ variant, data }) => ({ ...(variant && { name: variant }), payload: data })),
    bindings: { kafka: { key: { type: 'string', description: RECORD_KEY }, ...KAFKA } },
  };
}

/** The same event as a webhook's body. */
export function webhookMessage(type: EventType, golden: readonly Golden[]): object {
  return {
    name: type,
    summary: EVENTS[type].when,
    headers: { $ref: '#/components/schemas/WebhookHeaders' },
    payload: webhookSchema(type),
    examples: golden.map(({ variant, data }) => ({
      ...(variant && { name: variant }),
      payload: { id: EXAMPLE_ID, object: 'event', type, data, time: EXAMPLE_TIME },
    })),
  };
}
