import type { z } from 'zod';

/**
 * Reads a value that a newer version of another service may have written: drops fields that the schema does not know, at any
 * depth; the rest must fit the schema. A new version may add a field without a new event version (docs/operations/upgrading.md),
 * so a reader that refused new fields would stop in every rolling upgrade.
 * Throws `ZodError`.
 */
export function parseDroppingNewFields<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const newFields = read.error.issues.filter((issue) => issue.code === 'unrecognized_keys');
  if (newFields.length === 0) throw read.error;
  return schema.parse(newFields.reduce((rest, { path, keys }) => without(rest, path, keys), value));
}

/** A copy of the value without these keys in the object at the path. */
function without(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [step, ...rest] = path;
  if (step === undefined)
    return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
  const change = ([key, item]: [string, unknown]): [string, unknown] =>
    key === String(step) ? [key, without(item, rest, keys)] : [key, item];
  const entries = Object.entries(value).map(change);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
