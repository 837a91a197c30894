import { auditEntry, errorBody, type ErrorBody } from '@fundrail/contracts';
import { listSchema } from '@fundrail/service-kit/http';
import fc from 'fast-check';
import type { ApiAnswer, ApiClient } from './testing/api-client.ts';
import { badBodies, type BadBody, type Schema } from './testing/bad-bodies.ts';
import { newDataDir, removeDataDir, StandaloneProcess } from './testing/standalone-process.ts';
import type { Requests } from './testing/operation-requests.ts';
import { validRequests } from './testing/valid-bodies.ts';

interface Operation {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

interface ApiDocument {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

/** These accept unknown fields (CONV-13) or a page's form, and validate by other rules. */
const WITH_OTHER_RULES = [
  'POST /v2/auth/{tenant}/token',
  'POST /callbacks/gatewaypoa/orders',
  'POST /callbacks/gatewaypoa/payments',
  'POST /callbacks/gatewaypoa/mandates',
  'POST /callbacks/gatewaypoa/plans',
  'POST /callbacks/sdkvendor',
  'POST /api/pg/payments/netbanking/sdkvendor',
  'POST /api/pg/payments/netbanking/sdkvendor/capture/{payment_id}',
];
/** A valid body, so that only the parameter can be refused. Other operations with a query parameter read no body. */
const BODIES_WITH_A_QUERY: Readonly<Record<string, object>> = {
  'POST /api/pg/payments/netbanking/sdkvendor/capture/{payment_id}': { 'error[code]': 'BAD_REQUEST_ERROR' },
};
/** Lists that grow when they are read, or by themselves. */
const CHANGING_LISTS = ['/admin/audit', '/v2/events', '/sandbox/clock'];
/** Requests that are under way at the same time. */
const LANES = 8;

/** The operation that a request for this id reaches. */
function reachedBy(name: string, id: string): string {
  return `${name.split(' ', 1)[0]} ${new URL(filledIn(name, id), 'http://api').pathname}`;
}

describe('the surface of the API', () => {
  let dataDir: string;
  let standalone: StandaloneProcess;
  let client: ApiClient;
  let operator: ApiClient;
  let document: ApiDocument;
  let operations: Map<string, Operation>;
  let valid: Requests;

  beforeAll(async () => {
    dataDir = await newDataDir();
    standalone = await StandaloneProcess.start({ dataDir });
    [client, operator] = await Promise.all([standalone.client(), standalone.operator()]);
    document = JSON.parse((await client.get('/openapi.json')).text) as ApiDocument;
    operations = new Map(
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(
          ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
        ),
      ),
    );
    valid = await validRequests(client);
  });
  afterAll(async () => {
    await standalone.stop();
    await removeDataDir(dataDir);
  });

  /** Only the operator may do everything; it acts in the tenant `demo`. */
  const send = (name: string, { path, body }: { path: string; body?: unknown }): Promise<ApiAnswer> =>
    operator.call(name.split(' ', 1)[0] ?? '', path, body as object);

  const refusalOf = (answer: ApiAnswer): ErrorBody['error'] => {
    const { error } = errorBody.parse(answer.body);
    expect([error.status, error.request_id]).toEqual([answer.status, answer.headers.get('x-request-id')]);
    return error;
  };

  /** The lists of everything that a request could have changed. */
  const lists = async (): Promise<Record<string, string>> => {
    const paths = [...operations.keys()]
      .filter((name) => name.startsWith('GET ') && !name.includes('{'))
      .map((name) => name.slice('GET '.length))
      .filter((path) => !CHANGING_LISTS.includes(path));
    const texts = await Promise.all(
      paths.map(async (path) => [path, (await operator.get(path)).text] as const),
    );
    return Object.fromEntries(texts);
  };

  it('is tried with every body that the OpenAPI document declares', () => {
    const withBody = [...operations].filter(([, { requestBody }]) => requestBody).map(([name]) => name);
    expect([...Object.keys(valid), ...WITH_OTHER_RULES].sort()).toEqual(withBody.sort());
  });

  it('refuses each field of each body in each bad form with one 400 that names it, and writes nothing', async () => {
    const before = await lists();
    const cases = Object.entries(valid).flatMap(([name, { path, body }]) => {
      const schema = operations.get(name)?.requestBody?.content['application/json']?.schema ?? {};
      return badBodies(schema, body, document.components.schemas).map((bad) => ({ name, path, bad }));
    });
    expect(cases.length).toBeGreaterThan(1000);

    const faults = await inLanes(cases, async ({ name, path, bad }) => {
      const answer = await send(name, { path, body: bad.body });
      const names = answer.status === 400 ? refusalOf(answer).errors.map(({ field }) => field) : [];
      return names.some((field) => isAbout(bad, field))
        ? []
        : [`${name} ${bad.field} = ${bad.wrong}: ${answer.status} ${names.join()}`];
    });

    expect(faults).toEqual([]);
    expect(await lists()).toEqual(before);
  });

  it('takes the same bodies without the mistake', async () => {
    const refused: string[] = [];
    for (const [name, request] of Object.entries(await validRequests(client))) {
      const { status, text } = await send(name, request);
      // The state of the object may forbid the step; the body does not.
      if (![200, 201, 202, 404, 409].includes(status)) refused.push(`${name}: ${text}`);
    }
    expect(refused).toEqual([]);
  });

  it('writes an audit row of each call that only an operator may make', async () => {
    const ofOperators = [...operations].filter(([, { security }]) =>
      security?.some((scheme) => Object.values(scheme).some((scopes) => scopes.includes('admin'))),
    );
    expect(ofOperators.length).toBeGreaterThan(10);
    const missing: string[] = [];
    for (const [name] of ofOperators) {
      // The object does not exist, so nothing changes; a refused call is recorded too.
      const path = filledIn(name, '999999999');
      const method = name.split(' ', 1)[0] ?? '';
      const { status } = await send(name, { path, body: method === 'GET' ? undefined : {} });
      const { data } = listSchema(auditEntry).parse((await operator.get('/admin/audit?limit=5')).body);
      if (!data.some((row) => row.method === method && row.path === path && row.status === status))
        missing.push(`${name}: ${status}`);
    }
    expect(missing).toEqual([]);
  });

  it('ignores no query parameter in silence (CONV-14)', async () => {
    const before = await lists();
    const closed = [...operations].filter(([, { security }]) => security?.length !== 0);
    const faults = await inLanes(closed, async ([name]) => {
      const { path, body } = valid[name] ?? { path: filledIn(name, '1') };
      const answer = await send(name, { path: `${path}?surprise=1`, body });
      const isNamed = answer.status === 400 && refusalOf(answer).errors[0]?.field === 'surprise';
      return isNamed ? [] : [`${name}: ${answer.status}`];
    });
    expect(faults).toEqual([]);
    expect(await lists()).toEqual(before);
  });

  it('takes a query parameter, or names it', async () => {
    const values = [
      '',
      '%00',
      ',',
      '-1',
      '1e9',
      '9'.repeat(30),
      'x'.repeat(3000),
      '%F0%9F%92%A9',
      '0000-01-01',
    ];
    const cases = [...operations].flatMap(([name, { parameters = [] }]) =>
      parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap((parameter) => values.map((value) => ({ name, parameter: parameter.name, value }))),
    );
    const faults = await inLanes(cases, async ({ name, parameter, value }) => {
      const path = `${filledIn(name, '1')}?${parameter}=${value}`;
      const answer = await send(name, { path, body: BODIES_WITH_A_QUERY[name] });
      if (answer.status === 200 || answer.status === 404) return [];
      const isNamed =
        answer.status === 400 && refusalOf(answer).errors.every(({ field }) => field === parameter);
      return isNamed ? [] : [`${name}?${parameter}=${value.slice(0, 20)}: ${answer.text}`];
    });
    expect(faults).toEqual([]);
  });

  it('answers 404 for an id that cannot exist', async () => {
    const ids = [
      '%00',
      '0',
      '-1',
      '1.5',
      '999999999999999',
      '9'.repeat(150),
      'x'.repeat(300),
      '%F0%9F%92%A9',
      '%2e%2e',
    ];
    const cases = [...operations.keys()]
      .filter((name) => name.includes('{') && !WITH_OTHER_RULES.includes(name))
      .flatMap((name) => ids.map((id) => ({ name, id })))
      .filter(({ name, id }) => !operations.has(reachedBy(name, id)));
    const faults = await inLanes(cases, async ({ name, id }) => {
      const answer = await send(name, { path: filledIn(name, id), body: valid[name]?.body });
      // Two dots are removed from a path, and the rest may match another route, which has other methods. A case that reaches another
      // operation is left out.
      const expected = id === '%2e%2e' ? [404, 405] : [404];
      return expected.includes(refusalOf(answer).status)
        ? []
        : [`${name} ${id.slice(0, 20)}: ${answer.text}`];
    });
    expect(faults).toEqual([]);
  });

  it('never answers 5xx, for any JSON body', async () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 300 });
    const anyJson = fc.oneof(fc.jsonValue({ maxDepth: 4 }), anyText, fc.double(), fc.maxSafeInteger());
    const request = fc.constantFrom(...Object.keys(valid)).chain((name) => {
      const { path, body = {} } = valid[name] ?? { path: '' };
      const field = fc.constantFrom(...Object.keys(body));
      const oneChanged = fc.tuple(field, anyJson).map(([key, value]) => ({ ...body, [key]: value }));
      return fc.record({
        name: fc.constant(name),
        path: fc.constant(path),
        body: fc.oneof(anyJson, oneChanged),
      });
    });
    const answersWell = async ({ name, ...sent }: { name: string; path: string; body: unknown }) => {
      const answer = await send(name, sent);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 300) refusalOf(answer);
    };
    await fc.assert(fc.asyncProperty(request, answersWell), { numRuns: 600 });
  });
});

/** A refusal may name the field, its parent or one of its children. */
function isAbout({ field }: BadBody, named: string): boolean {
  return named === field || field.startsWith(`${named}.`) || named.startsWith(`${field}.`);
}

/** The path of an operation with every parameter replaced. */
function filledIn(name: string, id: string): string {
  return (name.split(' ')[1] ?? '').replaceAll(/\{\w+\}/g, id);
}

/** Runs all cases, a few at a time. Returns the faults. */
async function inLanes<T>(cases: readonly T[], faultsOf: (one: T) => Promise<string[]>): Promise<string[]> {
  const waiting = cases.values();
  const lane = async () => {
    const faults: string[] = [];
    for (const one of waiting) faults.push(...(await faultsOf(one)));
    return faults;
  };
  return (await Promise.all(Array.from({ length: LANES }, lane))).flat();
}
