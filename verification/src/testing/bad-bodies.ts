/** The part of a JSON Schema of the OpenAPI document that this file reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly exclusiveMinimum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** A valid body with one thing wrong. `field` is the path that the refusal must name. */
export interface BadBody {
  readonly field: string;
  readonly wrong: string;
  readonly body: unknown;
}

type Named = Readonly<Record<string, unknown>>;
type Put = (value: unknown) => unknown;

const ONE_OF_EACH_TYPE = {
  null: null,
  boolean: true,
  integer: 7,
  number: 7.5,
  string: 'text',
  array: [],
  object: {},
};
const BAD_TEXT = {
  'a NUL': 'a\u0000b',
  'a NUL in an address': 'https://a.example/\u0000',
  'half a surrogate pair': '\ud800',
  'a text too long': 'x'.repeat(10_000),
};
const BAD_NUMBERS = { 'a negative number': -1, 'many decimals': 1.23456, 'a number too large': 1e30 };
const BEYOND_EXACT = 2 ** 53;

/** Every body that differs from `valid` by one mistake in one field, including fields that `valid` does not have. */
export function badBodies(
  schema: Schema,
  valid: unknown,
  definitions: Readonly<Record<string, Schema>>,
): BadBody[] {
  return mistakesWithin(resolve(schema, valid, definitions).schema, valid, '', (body) => body, definitions);
}

function mistakesWithin(
  schema: Schema,
  valid: unknown,
  path: string,
  put: Put,
  definitions: Readonly<Record<string, Schema>>,
): BadBody[] {
  const within = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (schema.items && Array.isArray(valid) && valid.length > 0) {
    const [first, ...others] = valid as unknown[];
    return mistakesAt(schema.items, first, within('0'), (value) => put([value, ...others]), definitions);
  }
  if (schema.type !== 'object') return [];
  const { properties = {}, required = [] } = schema;
  const object = (valid ?? {}) as Named;
  const fields = Object.entries(properties).flatMap(([key, property]) =>
    mistakesAt(property, object[key], within(key), (value) => put({ ...object, [key]: value }), definitions),
  );
  const missing = required.map((key) => {
    const { [key]: _, ...rest } = object;
    return { field: within(key), wrong: 'nothing', body: put(rest) };
  });
  const unknown = {
    field: within('surprise'),
    wrong: 'an unknown field',
    body: put({ ...object, surprise: 1 }),
  };
  return [...fields, ...missing, unknown];
}

function mistakesAt(
  given: Schema,
  valid: unknown,
  field: string,
  put: Put,
  definitions: Readonly<Record<string, Schema>>,
): BadBody[] {
  const { schema, nullable } = resolve(given, valid, definitions);
  const own = Object.entries(badValues(schema, nullable, valid)).map(([wrong, value]) => ({
    field,
    wrong,
    body: put(value),
  }));
  return [...own, ...mistakesWithin(schema, valid, field, put, definitions)];
}

function badValues(schema: Schema, nullable: boolean, valid: unknown): Named {
  const types = new Set([
    schema.type,
    ...(nullable ? ['null'] : []),
    ...(schema.type === 'number' ? ['integer'] : []),
  ]);
  const wrongType = Object.fromEntries(Object.entries(ONE_OF_EACH_TYPE).filter(([type]) => !types.has(type)));
  return { ...wrongType, ...badOfType(schema, valid) };
}

function badOfType(schema: Schema, valid: unknown): Named {
  const { type, minLength, minItems, maxItems } = schema;
  if (type === 'string')
    return {
      ...BAD_TEXT,
      ...(schema.enum && { 'another word': 'another' }),
      ...(minLength && { 'an empty text': '' }),
    };
  if (type === 'number' || type === 'integer')
    return {
      ...BAD_NUMBERS,
      ...(type === 'integer' && { 'a number beyond 2^53': BEYOND_EXACT }),
      ...(schema.exclusiveMinimum === 0 && { zero: 0 }),
    };
  if (type !== 'array') return {};
  const item: unknown = Array.isArray(valid) ? valid[0] : 'text';
  return {
    ...(minItems && { 'an empty list': [] }),
    ...(maxItems && { 'a list too long': Array<unknown>(maxItems + 1).fill(item) }),
  };
}

/** Follows references, and picks the alternative that matches the valid value. */
function resolve(
  schema: Schema,
  valid: unknown,
  definitions: Readonly<Record<string, Schema>>,
): { schema: Schema; nullable: boolean } {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return resolve(definitions[name] ?? {}, valid, definitions);
  const choices = schema.anyOf ?? schema.oneOf;
  if (!choices) return { schema, nullable: false };
  const real = choices.filter(({ type }) => type !== 'null');
  const resolved = real.map((choice) => resolve(choice, valid, definitions).schema);
  const chosen = resolved.find((choice) => isChoiceOf(choice, valid)) ?? resolved[0] ?? {};
  return { schema: chosen, nullable: real.length < choices.length };
}

/** Whether the value has every constant and every required field of the alternative. */
function isChoiceOf({ properties = {}, required = [] }: Schema, valid: unknown): boolean {
  const object = (valid ?? {}) as Named;
  if (!required.every((key) => Object.hasOwn(object, key))) return false;
  return Object.entries(properties).every(
    ([key, { enum: words }]) => !words || !Object.hasOwn(object, key) || words.includes(object[key]),
  );
}
