import { event, eventData, EVENTS, toPublished, type EventType } from '@fundrail/contracts';
import { z } from 'zod';
import { titled, titledInside } from './titles.ts';

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
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, titledInside(name, schema)]),
  );
}

/** The body of a webhook, with one type and its data in place of any. */
export function webhookSchema(type: EventType): object {
  const body = draft07(event).definitions?.['Event'];
  const data = { $ref: `#/components/schemas/${dataSchemaName(type)}` };
  const properties = { ...body?.properties, type: { type: 'string', const: type }, data };
  return titled(`${type}.webhook`, { ...body, properties });
}

/** The schema for a reader: fields may be added (CONV-25), so no object is closed. */
function draft07(schema: z.ZodType): Schema {
  const document = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: (part) => {
      toPublished(part, 'output');
      delete part.jsonSchema.additionalProperties;
      delete part.jsonSchema.propertyNames;
    },
  });
  return JSON.parse(
    JSON.stringify(document).replaceAll('"#/definitions/', '"#/components/schemas/'),
  ) as Schema;
}
