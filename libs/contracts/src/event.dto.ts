import { z } from 'zod';
import { EVENT_TYPES, EVENTS } from './events/catalogue.ts';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

/** The event types that clients can receive. */
export const PUBLIC_EVENT_TYPES = EVENT_TYPES.filter((type) => EVENTS[type].public);

/** The kinds of objects in these events: the word before the dot of each type, and `data.object.object`. */
export const PUBLIC_OBJECT_TYPES = [
  ...new Set(PUBLIC_EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.')))),
];

/** An event as the webhook's body and `GET /v2/events/:id` show it (HOOK-10). */
export const event = z
  .strictObject({
    id: prefixedId('event'),
    object: z.literal('event'),
    type: z.string().describe('The type of the event, such as `mf_purchase.created`'),
    data: z
      .strictObject({
        object: z.record(z.string(), z.unknown()),
        previous_attributes: z.record(z.string(), z.unknown()).nullable(),
      })
      .describe('The object of the event, and what the event changed'),
    time: timestamp,
  })
  .meta({ id: 'Event' });
