import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A Standard Schema issue with zod's additional fields. */
export interface Issue extends StandardSchemaV1.Issue {
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly options?: readonly unknown[];
  readonly format?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exact?: boolean;
  readonly inclusive?: boolean;
  readonly divisor?: number;
}

/** How zod's default sentences start; a schema's own sentence continues after the field's name. */
const ZODS_OWN = /^(Invalid|Too (small|big)|Unrecognized|Expected)/;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  date: 'a date like 2026-01-31',
  time: 'a time of day like 10:00:00',
  datetime: 'a date and time like 2026-01-31T10:00:00+05:30',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/**
 * What is wrong with a field, to be read after its name: "is required", "must be one of: uri, collect". A schema's own sentence
 * is used unchanged.
 */
export function plainSentence(issue: Issue): string {
  return ZODS_OWN.test(issue.message) ? sentenceOf(issue) : issue.message;
}

function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected ?? ''] ?? 'of another type'}`;
    case 'invalid_value':
      return oneOf(issue.values ?? []);
    case 'invalid_union':
      return issue.options && issue.options.length > 0
        ? oneOf(issue.options)
        : 'does not have one of the allowed forms';
    case 'too_small':
      return least(issue);
    case 'too_big':
      return most(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format ?? ''] ?? 'in its documented format'}`;
    default:
      return 'is not valid';
  }
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `must be ${texts.join('')}` : `must be one of: ${texts.join(', ')}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
};

function least({ origin = '', minimum = 0, inclusive = true, exact = false }: Issue): string {
  const unit = UNITS[origin];
  if (unit && !exact && Number(minimum) === 1) return 'must not be empty';
  if (unit) return `must have ${exact ? 'exactly' : 'at least'} ${counted(minimum, unit)}`;
  return inclusive ? `must be at least ${minimum}` : `must be greater than ${minimum}`;
}

function most({ origin = '', maximum = 0, inclusive = true, exact = false }: Issue): string {
  const unit = UNITS[origin];
  if (unit) return `must have ${exact ? 'exactly' : 'at most'} ${counted(maximum, unit)}`;
  return inclusive ? `must be at most ${maximum}` : `must be less than ${maximum}`;
}

function counted(count: number | bigint, [one, many]: readonly [string, string]): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
