import { JsonNumber, ValidationFailed, type FieldError } from '@fundrail/contracts';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { plainSentence, type Issue } from './plain-sentence.ts';

/**
 * Checks `@Body({ schema })`, `@Query({ schema })` and `@Param({ schema })` and hands the schema's output on; a
 * `ValidationFailed` names each field. In place of Nest's `StandardSchemaValidationPipe`, which drops the keys `constructor`
 * and `prototype` in silence (here they are unknown fields like any other) and does not tell the input to its exception.
 */
export class SchemaPipe implements PipeTransform {
  transform(given: unknown, metadata: ArgumentMetadata): unknown {
    const { schema, type } = metadata;
    if (!schema || type === 'custom') return given;
    // No body at all is an empty one, so that each required field is named.
    const value = type === 'body' && given === undefined ? {} : given;
    const result = schema['~standard'].validate(value);
    return result instanceof Promise
      ? result.then((settled) => outputOf(settled, value, type))
      : outputOf(result, value, type);
  }
}

function outputOf(result: StandardSchemaV1.Result<unknown>, value: unknown, type: string): unknown {
  if (!result.issues) return result.value;
  const errors = result.issues.flatMap((issue) => fieldErrorsOf(issue, value, type));
  // The first thing that is wrong with a field is the one to mend.
  throw new ValidationFailed(
    [...Map.groupBy(errors, ({ field }) => field).values()].flatMap(([first]) => first ?? []),
  );
}

/**
 * The fields that an issue is about; `whole` is told when it is the value itself. Unknown fields come as one issue on their
 * parent with the keys, a union as one issue with the issues of each choice: its own sentence is told when it has one,
 * otherwise the nearest choice.
 */
export function fieldErrorsOf(issue: Issue, value: unknown, whole: string): FieldError[] {
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

/** What zod says of a union that was given no sentence of its own. */
const NO_CHOICE_FITS = 'Invalid input';

// More than a choice of ours has fields: a wrong tag says that another choice was meant.
const WRONG_TAG = 100;

function distance(issues: readonly Issue[]): number {
  return issues.length + WRONG_TAG * issues.filter((issue) => issue.code === 'invalid_value').length;
}

function pathOf(issue: Issue): string[] {
  return (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}

/**
 * The path as far as the sender wrote it: a schema may look into the items of a comma-separated text, or into the
 * object that holds a number which is no safe integer.
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
