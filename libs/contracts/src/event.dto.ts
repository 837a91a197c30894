import { z } from 'zod';
import { EVENT_TYPES, EVENTS } from './events/catalogue.ts';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

/** The event types that a client may hear of. */
export const PUBLIC_EVENT_TYPES = EVENT_TYPES.filter((type) => EVENTS[type].public);

/** An event as the webhook's body and `GET /v2/events/:id` show it (contract §6). */
export const event = z
  .strictObject({
    id: prefixedId('event'),
    object: z.literal('event'),
    type: z.string(),
    data: z.strictObject({
      object: z.record(z.string(), z.unknown()),
      previous_attributes: z.record(z.string(), z.unknown()).nullable(),
    }),
    time: timestamp,
  })
  .meta({ id: 'Event' });
