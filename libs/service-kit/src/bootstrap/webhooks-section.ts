import { event, eventData, EVENTS, PUBLIC_EVENT_TYPES, type EventType } from '@fundrail/contracts';
import { z } from 'zod';
import { describeSchemas } from './describe-fields.ts';
import { toJsonSchema } from './open-api.ts';
import { camel } from './operation-ids.ts';

/**
 * The `webhooks` of an OpenAPI document, and their schemas: each public event as a POST to the client, with the type of its
 * `data.object`. Objects that GET returns too have the same schema there.
 */
export function webhooksSection(): { webhooks: Record<string, object>; schemas: Record<string, object> } {
  const schemas: Record<string, object> = {};
  for (const [object, types] of Map.groupBy(PUBLIC_EVENT_TYPES, (type): z.ZodType => EVENTS[type].object)) {
    const ofKind = z
      .strictObject({
        ...event.shape,
        type: z.enum(types).meta({ ...event.shape.type.meta() }),
        data: eventData(object).meta({ ...event.shape.data.meta() }),
      })
      .meta({ id: schemaOf(object) });
    Object.assign(schemas, toJsonSchema(ofKind, 'output')?.components);
  }
  describeSchemas(schemas);
  const text = JSON.stringify(schemas).replaceAll('"#/$defs/', '"#/components/schemas/');
  return {
    webhooks: Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, { post: delivery(type) }])),
    schemas: JSON.parse(text, asNestWritesIt) as Record<string, object>,
  };
}

const schemaOf = (object: z.ZodType) => `${object.meta()?.id}Event`;

/** Nest converts the schemas of routes: `const` to `enum`, and `examples` to one `example`. */
function asNestWritesIt(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { const: only, examples, ...others } = value as Record<string, unknown>;
  return {
    ...others,
    ...(only !== undefined && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] as unknown }),
  };
}

/** Standard Webhooks 1.0 (HOOK-11). */
const HEADERS = [
  ['webhook-id', "The event's id, the same at every attempt"],
  ['webhook-timestamp', 'Seconds since 1970, of this attempt'],
  ['webhook-signature', '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`'],
].map(([name, description]) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
}));

function delivery(type: EventType): object {
  return {
    operationId: camel(['receive', type.replace('.', '_')]),
    tags: ['Webhooks'],
    summary: EVENTS[type].when,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schemaOf(EVENTS[type].object)}` } },
      },
    },
    responses: { '2XX': { description: 'Received. Any other answer, or none within 15 s, is retried' } },
  };
}
