import { Ajv, type Options, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EVENT_TYPES, EVENTS, PUBLIC_EVENT_TYPES } from '@fundrail/contracts';
import { goldenFiles } from '../golden.ts';
import { asyncApiFile } from './document.ts';

const OFFICIAL = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');
const GOLDEN = new URL('../../../libs/contracts/src/events/golden/', import.meta.url);

/** Any part of the document. */
interface Part {
  [name: string]: Part;
}

/** Made once: it is the same for every test. */
const FILE = asyncApiFile();
const document = (): Part => JSON.parse(FILE) as Part;
const newAjv = (options: Options = {}) =>
  formats.default(new Ajv({ strict: false, allErrors: true, formats: { decimal: true }, ...options }));

function problemsOf(validate: ValidateFunction, value: unknown): string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

const schemas = newAjv().addSchema(document(), 'document');

/** Checks values against a schema of the document, by its path. */
const validatorOf = (path: string): ValidateFunction => schemas.compile({ $ref: `document#${path}` });

function refsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) =>
    key === '$ref' ? [String(value)] : refsIn(value),
  );
}

/** Keywords whose value is data, and those whose value has schemas by name. */
const DATA = ['enum', 'const', 'default', 'examples', 'required', 'type'];
const BY_NAME = ['properties', 'patternProperties', 'definitions', '$defs'];

/** The objects and enumerations inside a schema, which generators turn into types, under whatever keyword. */
function inside(schema: Part): Part[] {
  return Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
    if (DATA.includes(keyword) || typeof value !== 'object' || value === null) return [];
    const schemas = Array.isArray(value) || BY_NAME.includes(keyword) ? Object.values(value) : [value];
    return schemas.flatMap((one) => withInside(one as Part));
  });
}

function withInside(schema: Part): Part[] {
  const isType = ['object', 'enum', 'properties', 'allOf'].some(
    (key) => key in schema || [schema['type']].flat().includes(key as never),
  );
  return [...(isType && !('$ref' in schema) ? [schema] : []), ...inside(schema)];
}

describe('the AsyncAPI document', () => {
  // It brings draft 07 along, so ours must not be there too.
  const official = newAjv({ meta: false, validateSchema: false }).compile(
    JSON.parse(readFileSync(OFFICIAL, 'utf8')) as object,
  );

  it('is valid by the official schema of AsyncAPI 3.0', () => {
    expect(problemsOf(official, document())).toEqual([]);
  });

  it.each<[string, (it: Part) => void]>([
    [
      'a topic of no partitions',
      (it) => Object.assign(it['channels']!['payment']!['bindings']!['kafka']!, { partitions: 0 }),
    ],
    [
      'an unknown action',
      (it) => Object.assign(it['operations']!['orders.send.mf_purchase']!, { action: 'publish' }),
    ],
    ['a server without a protocol', (it) => delete it['servers']!['kafka']!['protocol']],
    [
      'a schema of no type',
      (it) => Object.assign(it['components']!['schemas']!['Payment']!, { type: 'payment' }),
    ],
  ])('would not be valid with %s', (_what, spoil) => {
    const spoilt = document();
    spoil(spoilt);

    expect(problemsOf(official, spoilt)).not.toEqual([]);
  });

  it('points only at what is there', () => {
    const root = document();
    const dangling = refsIn(root).filter((ref) => {
      const path = ref.split('/').slice(1);
      return path.reduce<Part | undefined>((part, name) => part?.[name], root) === undefined;
    });

    expect(dangling).toEqual([]);
  });

  it('has each event but the test in a topic, and each public one as a webhook', () => {
    const { webhooks, ...topics } = document()['channels']!;

    expect(Object.values(topics).flatMap(({ messages }) => Object.keys(messages!))).toEqual(
      EVENT_TYPES.filter((type) => type !== 'notification_webhook.test'),
    );
    expect(Object.keys(webhooks!['messages']!)).toEqual(PUBLIC_EVENT_TYPES);
  });

  it('gives each object and enumeration inside another schema a title of its own, for generators (OPS-11)', () => {
    const { schemas, messages } = document()['components']!;
    const titles = [
      ...Object.values(schemas!).flatMap(inside),
      ...Object.values(messages!).flatMap(({ headers, payload }) => [headers!, payload!].flatMap(withInside)),
    ].map(({ title }): unknown => title ?? 'none');

    expect(titles.length).toBeGreaterThan(100);
    expect(titles.filter((title) => title === 'none' || String(title) in schemas!)).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('promises the kind of the object in each event of a client (EVT-3)', () => {
    const { schemas } = document()['components']!;
    for (const type of PUBLIC_EVENT_TYPES) {
      const { properties, required } = schemas![EVENTS[type].object.meta()?.id ?? '']!;
      expect(properties!['object']).toMatchObject({ const: type.slice(0, type.indexOf('.')) });
      expect(Object.values(required!)).toContain('object');
    }
  });

  it('keeps the four places of an amount', () => {
    expect(FILE).toContain('"amount":1001.0000');
  });
});

describe.each(goldenFiles())('the golden event $file', ({ file, type }) => {
  const data = () => JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as Part;
  // Of the test there is only the webhook; its data is in there.
  const message =
    type === 'notification_webhook.test' ? `webhook.${type}/payload/properties/data` : `${type}/payload`;
  const payload = validatorOf(`/components/messages/${message}`);

  it('fits the schema of its message', () => {
    expect(problemsOf(payload, data())).toEqual([]);
  });

  it('would not fit with a field missing or of another type', () => {
    const [first, ...others] = Object.entries(data()['object']!);
    const incomplete = { ...data(), object: Object.fromEntries(others) };

    expect(problemsOf(payload, incomplete)).toEqual([
      expect.stringContaining(`must have required property '${first?.[0]}'`),
    ]);
    expect(problemsOf(payload, { ...data(), previous_attributes: 'none' })).not.toEqual([]);
  });
});

it.each(PUBLIC_EVENT_TYPES)('the webhook %s has examples that fit its schema', (type) => {
  const path = `/components/messages/webhook.${type}`;
  const examples = Object.values(document()['components']!['messages']![`webhook.${type}`]!['examples']!);

  expect(examples.flatMap(({ payload }) => problemsOf(validatorOf(`${path}/payload`), payload))).toEqual([]);
  expect(examples.length).toBeGreaterThan(0);
});
