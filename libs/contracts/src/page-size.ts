import { z } from 'zod';

/** The schema of a `/v2` list (CONV-21). */
export function listSchema<S extends z.ZodType>(item: S) {
  return z.strictObject({ object: z.literal('list'), data: z.array(item) });
}

/** A comma-separated list in a query (CONV-15): `states=pending,confirmed`. */
export function commaList<S extends z.ZodType<unknown, string>>(item: S) {
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(item).min(1));
}

/** The name of a list's page size: `limit` in `/v2`, `size` in `/api`. */
type SizeName = 'limit' | 'size';

const WHOLE_NUMBER = /^\d{1,9}$/;

/**
 * The query of a list. `schema` has both names, `name` with a default. The other name is accepted too and read as `name`.
 * If both are sent they must be equal.
 */
export function sizedQuery<S extends z.ZodObject>(name: SizeName, schema: S) {
  const other: SizeName = name === 'limit' ? 'size' : 'limit';
  return z.preprocess((query, context) => {
    if (!isRecord(query) || query[other] === undefined) return query;
    const { [other]: asked, ...rest } = query;
    if (rest[name] === undefined)
      // The schema checks a value that is not a number, and its error names the field that the client sent.
      return typeof asked === 'string' && WHOLE_NUMBER.test(asked) && isTaken(schema, other, asked)
        ? { ...rest, [name]: asked }
        : query;
    if (rest[name] !== asked) {
      const message = `must be the same as ${name}: send only one of them`;
      context.addIssue({ code: 'custom', path: [other], message });
    }
    return rest;
  }, schema);
}

function isTaken(schema: z.ZodObject, field: string, value: unknown): boolean {
  const type: unknown = schema.shape[field];
  return type instanceof z.ZodType && type.safeParse(value).success;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** The order of a list. Upper case is read too, and documents have lower case alone. */
export const listDirection = z
  .string()
  .max(4)
  .meta({ enum: ['asc', 'desc'] })
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['asc', 'desc']));
