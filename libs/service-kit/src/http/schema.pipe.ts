import { isStorable, JsonNumber, unfitText, ValidationFailed, type FieldError } from '@fundrail/contracts';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { plainSentence, type Issue } from './plain-sentence.ts';
import { schemaForCaller } from './upstream-schema.ts';

/**
 * Checks `@Body({ schema })`, `@Query({ schema })` and `@Param({ schema })` and returns the schema's output; a `ValidationFailed`
 * names each field. It replaces Nest's `StandardSchemaValidationPipe`, which silently drops the keys `constructor` and `prototype`
 * (here they are unknown fields) and does not pass the input to its exception.
 */
export class SchemaPipe implements PipeTransform {
  transform(given: unknown, metadata: ArgumentMetadata): unknown {
    const { schema, type } = metadata;
    if (!schema || type === 'custom') return given;
    // A missing body counts as an empty one, so that each required field is named.
    const value = type === 'body' && given === undefined ? {} : given;
    const result = schemaForCaller(schema)['~standard'].validate(value);
    return result instanceof Promise
      ? result.then((settled) => outputOf(settled, value, type))
      : outputOf(result, value, type);
  }
}

function outputOf(result: StandardSchemaV1.Result<unknown>, value: unknown, type: string): unknown {
  if (!result.issues) return storable(result.value, type);
  const errors = result.issues.flatMap((issue) => fieldErrorsOf(issue, value, type));
  // Only the first error of each field.
  throw new ValidationFailed(
    [...Map.groupBy(errors, ({ field }) => field).values()].flatMap(([first]) => first ?? []),
  );
}

/** Refuses text that a database cannot store, also when a schema accepts any text. Throws `ValidationFailed`. */
function storable(value: unknown, whole: string): unknown {
  const path = unfitText(value, isStorable);
  if (!path) return value;
  throw new ValidationFailed([{ field: path.join('.') || whole, message: UNSTORABLE }]);
}

const UNSTORABLE = 'must not contain NUL or an incomplete character';

/**
 * The fields of an issue; `whole` when it is about the value itself. Unknown fields are one issue of their parent with the keys. A
 * union is one issue with the issues of each choice: its own sentence is used when it has one, otherwise the nearest choice.
 */
function fieldErrorsOf(issue: Issue, value: unknown, whole: string): FieldError[] {
  const path = sentPath(issue, value);
  const at = valueAt(value, path);
  const field = path.join('.') || whole;
  if (at instanceof JsonNumber && (issue.code === 'unrecognized_keys' || path.length < pathOf(issue).length))
    return [{ field, message: 'must be an object' }];
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is unknown' }));
  }
  const [nearest] = [...(issue.errors ?? [])].sort((one, other) => distance(one) - distance(other));
  if (nearest && nearest.length > 0 && at !== undefined && issue.message === NO_CHOICE_FITS) {
    return nearest.flatMap((inner) =>
      fieldErrorsOf({ ...inner, path: [...path, ...pathOf(inner)] }, value, whole),
    );
  }
  const missing = issue.code !== 'custom' && at === undefined;
  return [{ field, message: missing ? 'is required' : plainSentence(issue) }];
}

/** Zod's message for a union without its own sentence. */
const NO_CHOICE_FITS = 'Invalid input';

// More than the fields of any choice: a wrong tag means that the client meant another choice, and a tag without any value means it for sure.
const WRONG_TAG = 100;

function distance(issues: readonly Issue[]): number {
  const tags = issues.filter((issue) => issue.code === 'invalid_value');
  return tags.some(({ values }) => values?.length === 0) ? Infinity : issues.length + WRONG_TAG * tags.length;
}

function pathOf(issue: Issue): string[] {
  return (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}

/**
 * The part of the path that the sender wrote: a schema may check the items of a comma-separated text, or the object that represents
 * a number that is not a safe integer.
 */
function sentPath(issue: Issue, value: unknown): string[] {
  const path = pathOf(issue);
  const end = path.findIndex((_, depth) => {
    const at = valueAt(value, path.slice(0, depth));
    return at instanceof JsonNumber || (at !== null && at !== undefined && typeof at !== 'object');
  });
  return end === -1 ? path : path.slice(0, end);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}
