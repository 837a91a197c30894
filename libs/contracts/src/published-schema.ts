import { z } from 'zod';

/** Formats that a reader knows; zod's pattern beside them repeats the format in up to 300 characters. */
const KNOWN_FORMATS: ReadonlySet<string | undefined> = new Set(['date', 'date-time', 'ipv4', 'ipv6']);

interface Converted {
  readonly zodSchema: unknown;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * An `override` of `z.toJSONSchema`, for schemas of a published document: what validators and generators of clients read well (OPS-11).
 * Parsing stays stricter. A schema whose `meta` states its type is that type alone. What we send (`output`) may have more fields
 * (CONV-25), and always has those with a default.
 */
export function toPublished({ zodSchema, jsonSchema }: Converted, direction: 'input' | 'output'): void {
  if (KNOWN_FORMATS.has(jsonSchema.format)) delete jsonSchema.pattern;
  if (jsonSchema.type === 'boolean') delete jsonSchema.const;
  if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
  if (direction === 'input') return;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  delete jsonSchema.default;
  if (!(zodSchema instanceof z.ZodObject)) return;
  const defaulted = Object.keys(zodSchema.shape).filter(
    (name) => zodSchema.shape[name] instanceof z.ZodDefault,
  );
  if (defaulted.length > 0) jsonSchema.required = [...(jsonSchema.required ?? []), ...defaulted];
}
