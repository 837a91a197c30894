import { event, eventData, EVENTS, type EventType } from '@fundrail/contracts';
import { z } from 'zod';

interface Schema extends z.core.JSONSchema.BaseSchema {
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** JSON schemas by name, for `components.schemas`; they refer to each other there. */
type Schemas = Record<string, object>;

/** The name of the schema of an event type's data: `PaymentData` for every `payment.*`. */
export function dataSchemaName(type: EventType): string {
  return `${EVENTS[type].object.meta()?.id ?? type}Data`;
}

/** The schemas of the types' data and of the objects inside, in draft 07, which AsyncAPI 3 uses. */
export function dataSchemas(types: readonly EventType[]): Schemas {
  const schemas: Schemas = {};
  for (const type of types) {
    const { definitions, $schema: _draft, ...data } = draft07(eventData(EVENTS[type].object));
    Object.assign(schemas, definitions, { [dataSchemaName(type)]: data });
  }
  return schemas;
}

/** The body of a webhook, with one type and its data in place of any. */
export function webhookSchema(type: EventType): object {
  const body = draft07(event).definitions?.['Event'];
  const data = { $ref: `#/components/schemas/${dataSchemaName(type)}` };
  return { ...body, properties: { ...body?.properties, type: { type: 'string', const: type }, data } };
}

/**
 * The schema for a reader: fields may be added (CONV-25), so no object is closed. zod's pattern of a date is removed: its 300
 * characters repeat the format.
 */
function draft07(schema: z.ZodType): Schema {
  const document = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
    },
  });
  return JSON.parse(
    JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/'),
  ) as Schema;
}
