import { ValidationFailed, type FieldError } from '@fundrail/contracts';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** What zod adds to a Standard Schema issue. */
interface Issue extends StandardSchemaV1.Issue {
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

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
    const value = type === 'body' ? (given ?? {}) : given;
    const result = schema['~standard'].validate(value);
    return result instanceof Promise
      ? result.then((settled) => outputOf(settled, value, type))
      : outputOf(result, value, type);
  }
}

function outputOf(result: StandardSchemaV1.Result<unknown>, value: unknown, type: string): unknown {
  if (!result.issues) return result.value;
  throw new ValidationFailed(result.issues.flatMap((issue) => fieldErrorsOf(issue, value, type)));
}

/**
 * The fields that an issue is about; `whole` is told when it is the value itself. Unknown fields come as one issue on their
 * parent with the keys, a union as one issue with the issues of each choice, of which the nearest one is told.
 */
export function fieldErrorsOf(issue: Issue, value: unknown, whole: string): FieldError[] {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys' && issue.keys) {
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is unknown' }));
  }
  const [nearest] = [...(issue.errors ?? [])].sort((one, other) => distance(one) - distance(other));
  const present = valueAt(value, path) !== undefined;
  if (nearest && nearest.length > 0 && present) {
    return nearest.flatMap((inner) =>
      fieldErrorsOf({ ...inner, path: [...path, ...pathOf(inner)] }, value, whole),
    );
  }
  const missing = issue.code !== 'custom' && !present;
  return [{ field: path.join('.') || whole, message: missing ? 'is required' : afterName(issue.message) }];
}

// More than a choice of ours has fields: a wrong tag says that another choice was meant.
const WRONG_TAG = 100;

function distance(issues: readonly Issue[]): number {
  return issues.length + WRONG_TAG * issues.filter((issue) => issue.code === 'invalid_value').length;
}

function pathOf(issue: Issue): string[] {
  return (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment));
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
}

/** zod's sentences begin a line ("Invalid input: …"); ours go on after the field's name ("invalid input: …"). */
function afterName(message: string): string {
  return message.replace(/^(Invalid|Too|Unrecognized)/, (word) => word.toLowerCase());
}
