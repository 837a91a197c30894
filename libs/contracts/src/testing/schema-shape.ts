import { z } from 'zod';

/** One property of a schema in readable form: path `refunds[].amc_order_ids[]`, type `integer`. */
export interface Property {
  readonly path: string;
  readonly type: string;
  readonly optional: boolean;
  readonly nullable: boolean;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Definitions = Readonly<Record<string, JsonSchema>>;

/** Every property of an object schema as on the wire, parents before children, in the schema's order. */
export function shapeOf(schema: z.ZodType): Property[] {
  const root = z.toJSONSchema(schema, { io: 'input' });
  return propertiesOf(root, root.$defs ?? {}, '');
}

function propertiesOf(schema: JsonSchema, definitions: Definitions, prefix: string): Property[] {
  const { properties = {}, required = [] } = resolve(schema, definitions);
  return Object.entries(properties).flatMap(([key, value]) => {
    const { inner, nullable } = withoutNull(value as JsonSchema, definitions);
    const path = `${prefix}${key}${inner.type === 'array' ? '[]' : ''}`;
    const item = inner.type === 'array' ? resolve(inner.items as JsonSchema, definitions) : inner;
    const property = { path, type: typeName(item), optional: !required.includes(key), nullable };
    return [property, ...propertiesOf(item, definitions, `${path}.`)];
  });
}

function resolve(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolve(definitions[name] ?? {}, definitions);
}

/** zod writes a nullable schema as `anyOf […, null]` or as `type: ["string", "null"]`. */
function withoutNull(schema: JsonSchema, definitions: Definitions): { inner: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { inner: { ...schema, type: types }, nullable: types.length < schema.type.length };
  }
  const alternatives = schema.anyOf ?? [schema];
  const inner = alternatives.filter(({ type }) => type !== 'null').map((one) => resolve(one, definitions));
  return { inner: inner[0] ?? {}, nullable: inner.length < alternatives.length };
}

function typeName({ const: literal, enum: values, format, description, type }: JsonSchema): string {
  if (literal !== undefined) return JSON.stringify(literal);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (format === 'date-time' || format === 'date') return format;
  return description ?? [type ?? 'any'].flat().join(' | ');
}
