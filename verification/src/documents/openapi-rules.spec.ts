import { ERRORS, EVENTS, PUBLIC_EVENT_TYPES } from '@fundrail/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { openApi } from '../../../tools/guides/openapi-document.ts';
import { exampleOf } from '../../../tools/guides/postman-collection.ts';

/** Any part of the document. */
interface Part {
  readonly [name: string]: Part;
}
type Fields = Readonly<Record<string, unknown>>;

/** The first words of operations. */
const VERBS = [
  ...[
    'ask',
    'authorise',
    'cancel',
    'capture',
    'create',
    'debit',
    'delete',
    'erase',
    'export',
    'get',
    'issue',
    'list',
    'move',
  ],
  ...['pause', 'receive', 'replace', 'replay', 'resume', 'retry', 'rotate', 'show', 'simulate', 'submit'],
  ...['test', 'update', 'verify'],
];
/** Words of descriptions that are about one part of the interface, and its schemas. */
const OF_ONE_PART: readonly (readonly [words: string, schemas: RegExp])[] = [
  ['seeded', /^Sandbox/],
  ['the move', /^(BusinessTime|ClockWaitsFor|MoveClock)/],
  ['of this page', /List$/],
  ['of the version', /^Policy/],
];

/** `openapi.e2e.spec.ts` proves that this file is what the product serves. */
const FILE = new URL('../../../docs/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Part;
const components = document['components']!;

/** Every object inside a part, with its path. */
function objectsIn(part: unknown, path = ''): [path: string, fields: Fields][] {
  if (typeof part !== 'object' || part === null) return [];
  const inside = Object.entries(part).flatMap(([key, value]) => objectsIn(value, `${path}/${key}`));
  return Array.isArray(part) ? inside : [[path, part as Fields], ...inside];
}
const whole = objectsIn(document);
const pathsWhere = (holds: (fields: Fields, path: string) => boolean, all = whole) =>
  all.filter(([path, fields]) => holds(fields, path)).map(([path]) => path);

/** Every object inside a part, and inside what it refers to. */
function reachedFrom(part: unknown, seen = new Set<string>()): [path: string, fields: Fields][] {
  return objectsIn(part).flatMap(([path, fields]) => {
    const ref = fields['$ref'];
    if (typeof ref !== 'string' || seen.has(ref)) return [[path, fields] as [string, Fields]];
    seen.add(ref);
    return reachedFrom(at(ref), seen).map(([inner, found]): [string, Fields] => [`${ref} ${inner}`, found]);
  });
}

const refOf = ({ $ref: ref }: Fields) => String(ref);

function at(ref: string): Part | undefined {
  const [, ...keys] = ref.split('/');
  return keys.reduce<Part | undefined>(
    (part, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}

const operations = Object.entries(document['paths']!).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
);
const securityOf = ({ operation }: (typeof operations)[number]) =>
  Object.values(operation['security'] ?? document['security']!);
const closed = operations.filter((one) => securityOf(one).length > 0);
const failing = (all: typeof operations, holds: (one: (typeof operations)[number]) => boolean) =>
  all.filter((one) => !holds(one)).map(({ name }) => name);
const deliveries = Object.entries(document['webhooks'] ?? {});

/** What we send: answers, and the bodies of webhooks. */
const sent = reachedFrom([
  operations.map(({ operation }) => operation['responses']),
  deliveries.map(([, { post }]) => post!['requestBody']),
]);
const isClosed = ({ additionalProperties }: Fields) => additionalProperties === false;

// OPS-11. Each rule is about the whole document, so that a new route cannot break one.
describe('the OpenAPI document, for a generator of clients', () => {
  it.each<[string, (fields: Fields, path: string) => boolean]>([
    [
      'a pattern beside a format that repeats it',
      ({ pattern, format }) =>
        pattern !== undefined && ['date', 'date-time', 'ipv4', 'ipv6'].includes(String(format)),
    ],
    [
      'a boolean that has one value',
      ({ type, enum: words, const: only }) => type === 'boolean' && (words ?? only) !== undefined,
    ],
    ['a step of a number, which a double misses', ({ multipleOf }) => multipleOf !== undefined],
    ['a number that is not a decimal', ({ type, format }) => type === 'number' && format !== 'decimal'],
    [
      'a moment that is not a plain text of a format',
      ({ name, in: place, schema }) =>
        ['from', 'to'].includes(String(name)) &&
        place === 'query' &&
        !['date', 'date-time'].includes(String((schema as Fields)['format'])),
    ],
    [
      'a size of a list that is not an integer',
      ({ name, in: place, schema }) =>
        ['limit', 'size', 'page'].includes(String(name)) &&
        place === 'query' &&
        (schema as Fields)['type'] !== 'integer',
    ],
    // docs/guides/versioning.md says so. What is deprecated sends `Deprecation` and `Sunset`, which no route does yet.
    ['what is deprecated', ({ deprecated }) => deprecated !== undefined],
    ['a name that generated clients give to themselves', (_, path) => path === '/components/schemas/Client'],
    ['a reference to nothing', ({ $ref: ref }) => typeof ref === 'string' && at(ref) === undefined],
  ])('does not contain %s', (_what, isBad) => {
    expect(whole.length).toBeGreaterThan(2_000);
    expect(pathsWhere(isBad)).toEqual([]);
  });

  it('has integers as ids in the paths whose answers have them', () => {
    const withIds = operations.filter(({ path }) => /^\/(api|admin\/payments)\/.*\{/.test(path));
    expect(withIds.length).toBeGreaterThan(8);
    expect(
      failing(withIds, ({ operation }) =>
        objectsIn(operation['parameters']).every(
          ([, parameter]) =>
            parameter['in'] !== 'path' || (parameter['schema'] as Fields)['type'] === 'integer',
        ),
      ),
    ).toEqual([]);
  });

  it('lets what we send have more fields, and only that', () => {
    expect(sent.length).toBeGreaterThan(1_000);
    expect(pathsWhere(isClosed, sent)).toEqual([]);
    const bodies = operations.filter(({ operation }) => operation['requestBody']);
    const open = bodies.filter(
      ({ operation }) => pathsWhere(isClosed, reachedFrom(operation['requestBody'])).length === 0,
    );
    // Parties outside add fields to these (CONV-13).
    expect(
      open.map(({ path }) => path).filter((path) => !/callbacks|capture|token$|sdkvendor$/.test(path)),
    ).toEqual([]);
  });

  it('names the kind of each object that we send wherever it has one (EVT-3)', () => {
    const withKind = sent.filter(
      ([, { properties }]) => (properties as Fields | undefined)?.['object'] !== undefined,
    );
    expect(withKind.length).toBeGreaterThan(20);
    expect(pathsWhere(({ required }) => !(required as string[]).includes('object'), withKind)).toEqual([]);
  });

  it('has a token by OAuth 2.0 client credentials, with every scope that an operation requires', () => {
    const { flows } = components['securitySchemes']!['client_credentials']!;
    expect(flows!['clientCredentials']).toMatchObject({
      tokenUrl: expect.stringMatching(/^\/v2\/auth\/\w+\/token$/),
    });
    const scopes = Object.keys(flows!['clientCredentials']!['scopes']!);
    const required = closed.flatMap((one) => {
      expect([one.name, ...securityOf(one).flatMap((choice) => Object.keys(choice))]).toEqual([
        ...[one.name, 'access_token', 'client_credentials'],
      ]);
      return securityOf(one).flatMap((choice) =>
        Object.values(choice).flatMap((all) => Object.values(all).map(String)),
      );
    });
    expect(required.length).toBeGreaterThan(10);
    expect(required.filter((scope) => !scopes.includes(scope))).toEqual([]);
  });

  it('names each operation by a verb and its object, once', () => {
    const names = operations.map(({ operation }) => (operation as Fields)['operationId'] as string);
    expect(names.length).toBeGreaterThan(100);
    const isVerb = (name: string) => VERBS.includes(/^([a-z]+)[A-Z][A-Za-z]+$/.exec(name)?.[1] ?? '');
    expect(names.filter((name) => !isVerb(name))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('describes every field and every parameter', () => {
    const fields = whole.flatMap(([path, { properties }]) =>
      Object.entries((properties ?? {}) as Part).map(([name, field]) => [`${path}/${name}`, field] as const),
    );
    const parameters = operations.flatMap(({ name, operation }) =>
      Object.values(operation['parameters'] ?? {}).map(
        (parameter) => [`${name} ${(parameter as Fields)['name'] as string}`, parameter] as const,
      ),
    );
    expect(fields.length).toBeGreaterThan(1_000);
    expect(parameters.length).toBeGreaterThan(200);
    const isBare = ([, { description }]: readonly [string, Fields]) => typeof description !== 'string';
    expect([...fields, ...parameters].filter(isBare).map(([name]) => name)).toEqual([]);
  });

  it('names what decides between the alternatives of a body, and the schema of each value', () => {
    const choices = whole.filter(([, fields]) => fields['discriminator'] !== undefined);
    expect(choices.map(([path]) => path)).toEqual([
      '/components/schemas/SimulatePaymentRequest',
      '/components/schemas/SimulateMandateRequest',
    ]);
    for (const [, fields] of choices) {
      const { propertyName, mapping } = fields['discriminator'] as { propertyName: string; mapping: Fields };
      const refs = (fields['oneOf'] as readonly Fields[]).map(refOf);
      expect([...new Set(Object.values(mapping))]).toEqual(refs);
      for (const [value, ref] of Object.entries(mapping))
        expect(at(String(ref))?.['properties']?.[propertyName]?.['enum']).toContain(value);
    }
  });

  it('has no object that is two alternatives of a union which no field decides', () => {
    const refsOf = ({ oneOf, anyOf }: Fields) =>
      ((oneOf ?? anyOf ?? []) as readonly Fields[]).filter((one) => one['$ref'] !== undefined).map(refOf);
    const unions = whole.filter(
      ([, fields]) => refsOf(fields).length > 1 && fields['discriminator'] === undefined,
    );
    // A request is closed, and so a choice of one. What we send may have more fields.
    expect(unions.map(([path, { oneOf }]) => [path, oneOf !== undefined])).toEqual([
      ['/components/schemas/CreateRedemptionOrInstallment', true],
      ['/components/schemas/PaymentOrMandateSdkOptions', false],
    ]);
    // Their fields alone keep them apart, so an example need not fit the patterns.
    const plain: unknown = JSON.parse(JSON.stringify(document), (key, value: unknown) =>
      key === 'pattern' ? undefined : value,
    );
    const { schemas } = openApi.parse(plain).components;
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(plain as Fields, 'document');
    for (const [path, fields] of unions)
      for (const ref of refsOf(fields)) {
        const fits = (place: string) =>
          ajv.validate({ $ref: `document${place}` }, exampleOf({ $ref: ref }, schemas));
        expect([ref, fits(ref), fits(`#${path}`)]).toEqual([ref, true, true]);
        expect(refsOf(fields).filter((other) => other !== ref && fits(other))).toEqual([]);
      }
  });

  it('makes amounts 64 bits wide in Go, whose generator takes 32 for a number', () => {
    const numbers = whole.filter(([, { type }]) => type === 'number');
    expect(numbers.length).toBeGreaterThan(40);
    expect(pathsWhere((fields) => fields['x-go-type'] !== 'float64', numbers)).toEqual([]);
  });

  it.each(OF_ONE_PART)('describes a field by "%s" in the schemas of that part only', (words, schemas) => {
    const named = Object.entries(components['schemas']!).flatMap(([name, schema]) =>
      objectsIn(schema)
        .flatMap(([, { properties }]) => Object.entries((properties ?? {}) as Part))
        .filter(([, field]) => String((field as Fields)['description']).includes(words))
        .map(([field]) => `${name}.${field}`),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !schemas.test(name.slice(0, name.indexOf('.'))))).toEqual([]);
  });

  it('has an example of each body that a client sends', () => {
    // Those of outside systems, and of the hosted page's own form.
    const withBody = operations.filter(
      ({ operation, path }) => operation['requestBody'] && !/^\/callbacks\/|\/sdkvendor/.test(path),
    );
    expect(withBody.length).toBeGreaterThan(40);
    const contentsOf = ({ operation }: (typeof operations)[number]) =>
      Object.values(operation['requestBody']!['content']!);
    expect(failing(withBody, (one) => contentsOf(one).every(({ example }) => Boolean(example)))).toEqual([]);
  });

  it('lists the codes of errors', () => {
    const { properties } = components['schemas']!['Error']!['properties']!['error']!;
    expect(properties!['code']!['enum']).toEqual(Object.keys(ERRORS));
  });

  it('lists the codes that each operation without a token may give, unless its refusals are pages or of OAuth', () => {
    const unlisted = operations.filter(({ operation }) => operation['x-error-codes'] === undefined);
    expect(unlisted.map(({ path }) => path).toSorted()).toEqual([
      '/api/pg/payments/netbanking/sdkvendor',
      '/api/pg/payments/netbanking/sdkvendor',
      '/api/pg/payments/netbanking/sdkvendor/capture/{payment_id}',
      '/v2/auth/{tenant}/token',
    ]);
    expect(components['schemas']!['TokenError']!['properties']!['error']!['enum']).toContain(
      'invalid_client',
    );
  });

  it('lists the codes that each operation with a token may give, all with a status that it documents', () => {
    const codesOf = ({ operation }: (typeof operations)[number]) =>
      Object.values(operation['x-error-codes'] ?? {}).map(String) as (keyof typeof ERRORS)[];
    const isDocumented = (one: (typeof operations)[number]) =>
      codesOf(one).every((code) => ERRORS[code].status in one.operation['responses']!);
    expect(failing(closed, (one) => codesOf(one).includes('INTERNAL_ERROR') && isDocumented(one))).toEqual(
      [],
    );
    const ofKeys = ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'];
    const isListed = (one: (typeof operations)[number]) => {
      const own = codesOf(one).filter((code) => !ofKeys.includes(code));
      const statuses = own.map((code): number => ERRORS[code].status);
      const said = String((one.operation as Fields)['description']).match(/\b[45]\d\d\b/g) ?? [];
      return said.every((status) => statuses.includes(Number(status)));
    };
    expect(failing(closed, isListed)).toEqual([]);
    const given = new Set(closed.flatMap(codesOf));
    // A wrong method has no operation, and the other is no longer returned.
    const others = ['METHOD_NOT_ALLOWED', 'SDK_OPTIONS_DISABLED'];
    expect(Object.keys(ERRORS).filter((code) => !given.has(code as keyof typeof ERRORS))).toEqual(others);
  });

  it('declares the headers of answers where they are sent (RATE-5, IDEM-3, ERR-9)', () => {
    const headersOf = (answer: Part) =>
      Object.keys((typeof answer['$ref'] === 'string' ? at(answer['$ref']) : answer)?.['headers'] ?? {});
    const answersOf = ({ operation }: (typeof operations)[number], statuses: RegExp) =>
      Object.entries(operation['responses']!).flatMap(([status, answer]) =>
        statuses.test(status) ? [headersOf(answer)] : [],
      );
    const limit = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
    expect(
      failing(closed, (one) =>
        answersOf(one, /^2|429/).every((names) => limit.every((name) => names.includes(name))),
      ),
    ).toEqual([]);
    expect(
      failing(closed, (one) =>
        answersOf(one, /^2/).every(
          (names) => names.includes('Idempotent-Replayed') === /post|patch/.test(one.method),
        ),
      ),
    ).toEqual([]);
    expect(
      failing(operations, (one) =>
        answersOf(one, /409|429|503/).every((names) => names.includes('Retry-After')),
      ),
    ).toEqual([]);
  });

  it('has each public event as a webhook with the type of its object (HOOK-10)', () => {
    expect(deliveries.map(([type]) => type)).toEqual(PUBLIC_EVENT_TYPES);
    for (const type of PUBLIC_EVENT_TYPES) {
      const body =
        document['webhooks']![type]!['post']!['requestBody']!['content']!['application/json']!['schema']!;
      const { properties } = at(refOf(body))!;
      expect(properties!['type']!['enum']).toContain(type);
      const object = refOf(properties!['data']!['properties']!['object']!);
      expect(object).toBe(`#/components/schemas/${EVENTS[type].object.meta()?.id}`);
      const kind = { enum: [type.slice(0, type.indexOf('.'))] };
      expect(at(object)!['properties']!['object']).toMatchObject(kind);
    }
  });
});
