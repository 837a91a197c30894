import { waitFor } from '@fundrail/testing';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { z } from 'zod';
import { newDataDir, removeDataDir, StandaloneProcess } from '../testing/standalone-process.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: object }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: object }> };
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly content?: Record<string, { readonly schema?: object }> }
  >;
}

interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly object[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
}

describe('the joined OpenAPI document', () => {
  let dataDir: string;
  let standalone: StandaloneProcess;
  let text: string;
  let document: Document;
  let operations: { readonly name: string; readonly path: string; readonly operation: Operation }[];

  beforeAll(async () => {
    dataDir = await newDataDir();
    standalone = await StandaloneProcess.start({ dataDir });
    text = await (await fetch(`${standalone.url}/openapi.json`)).text();
    document = JSON.parse(text) as Document;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
    );
  });
  afterAll(async () => {
    await standalone.stop();
    await removeDataDir(dataDir);
  });

  const failing = (holds: (operation: Operation, path: string) => boolean) =>
    operations.filter(({ operation, path }) => !holds(operation, path)).map(({ name }) => name);

  it('is the one in docs/openapi.json, which the edge serves (npm run docs:openapi writes it)', async () => {
    const committed = new URL('../../../docs/openapi.json', import.meta.url);
    expect(JSON.parse(await readFile(committed, 'utf8'))).toEqual({
      ...(JSON.parse(text) as Document),
      servers: [{ url: '/' }],
    });
  });

  it('has a reader at /docs, with or without a slash at its end', async () => {
    const page = async (path: string) => {
      const answer = await fetch(`${standalone.url}${path}`, { redirect: 'manual' });
      return [answer.status, answer.headers.get('content-security-policy'), await answer.text()];
    };
    expect(await page('/docs')).toEqual([
      200,
      expect.stringContaining("script-src 'self'"),
      expect.any(String),
    ]);
    for (const path of ['/docs/', '/docs/?x=1']) expect(await page(path)).toEqual(await page('/docs'));
  });

  it('has a reader whose files leave nothing open when a client leaves in the middle of one', async () => {
    const openFiles = async () => {
      const metrics = await (await fetch(`${standalone.url}/metrics`)).text();
      // Only Linux has this metric. Elsewhere the test shows that the product outlives the downloads.
      return Number(/^process_open_fds (\d+)$/m.exec(metrics)?.[1] ?? 0);
    };
    const before = await openFiles();
    const { hostname, port } = new URL(standalone.url);
    for (let download = 0; download < 60; download += 1) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    await waitFor(async () => (await openFiles()) < before + 30, { what: 'the end of the downloads' });
  });

  it('is OpenAPI 3.1 by the rules of 3.1: nothing is "nullable" and no bound is a boolean (OPS-11)', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(text).not.toMatch(/"nullable":|"exclusiveM(in|ax)imum":(true|false)/);
  });

  it('refers only to components that it contains', () => {
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((name) => !Object.hasOwn(document.components.schemas, name ?? ''))).toEqual([]);
  });

  it('gives each operation a unique name, a known tag, and the shape of success and of errors', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(operations.length);
    expect(failing(({ tags }) => document.tags.some(({ name }) => name === tags?.[0]))).toEqual([]);
    expect(
      failing(({ responses }) => responses['500']?.$ref === '#/components/responses/Refused500'),
    ).toEqual([]);
    // Each status is listed: a `default` would declare unexpected answers as expected.
    expect(failing(({ responses }) => responses['default'] === undefined)).toEqual([]);
    expect(
      failing(({ responses }) =>
        ['application/json', 'text/html'].some(
          (type) => (responses['200'] ?? responses['201'] ?? responses['202'])?.content?.[type]?.schema,
        ),
      ),
    ).toEqual([]);
    expect(failing(({ summary = '' }) => summary.length > 10)).toEqual([]);
    expect(failing(({ description = '' }) => description.length > 10)).toEqual([]);
  });

  it('declares the headers: the tenant wherever there is a token, the key wherever it counts', () => {
    const takes = ({ parameters = [] }: Operation, name: string) =>
      parameters.some((parameter) => parameter.in === 'header' && parameter.name === name);
    const closed = operations.filter(({ operation }) => operation.security?.length !== 0);
    const named = (all: typeof operations) => all.map(({ name }) => name);
    expect(named(operations.filter(({ operation }) => takes(operation, 'x-tenant-id')))).toEqual(
      named(closed),
    );
    expect(named(operations.filter(({ operation }) => takes(operation, 'Idempotency-Key')))).toEqual(
      named(closed).filter((name) => /^(post|patch) /.test(name)),
    );
  });

  it('declares the values of upi.type', () => {
    const { CreatePayment } = document.components.schemas;
    expect(JSON.stringify(CreatePayment)).toContain('"enum":["URI","uri","COLLECT","collect"]');
  });

  it('declares the body of every operation that reads one', () => {
    const readsNone = /\/(cancel|retry|test|verify|rotate_secret|resume|ask|erasure|export|erase)$/;
    const reads = (name: string) =>
      /^post \/v2\/mf_(redemption|purchase)_plans(\/{id})?\/cancel$/.test(name) ||
      (/^(post|patch|put) /.test(name) && !readsNone.test(name));
    const withBody = operations
      .filter(({ operation }) =>
        Object.values(operation.requestBody?.content ?? {}).some(({ schema }) => schema),
      )
      .map(({ name }) => name);
    expect(withBody).toEqual(operations.map(({ name }) => name).filter(reads));
  });

  it('contains valid JSON Schemas', () => {
    const schemas = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Document;
    for (const name of Object.keys(document.components.schemas))
      z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: schemas.components.schemas } as never);
    expect(Object.keys(document.components.schemas).length).toBeGreaterThan(40);
  });

  it('declares every parameter of a path, with a schema', () => {
    const declared = ({ parameters = [] }: Operation, path: string) =>
      [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) =>
        parameters.some(
          (parameter) => parameter.in === 'path' && parameter.name === name && parameter.schema,
        ),
      );
    expect(failing(declared)).toEqual([]);
  });

  it('requires a token everywhere except where a caller cannot have one (SAND-15, AUTH-7)', () => {
    expect(document.security.length).toBeGreaterThan(0);
    const open = operations
      .filter(({ operation }) => operation.security?.length === 0)
      .map(({ path }) => path);
    expect(new Set(open)).toEqual(
      new Set([
        '/.well-known/jwks.json',
        '/api/pg/payments/netbanking/sdkvendor',
        '/api/pg/payments/netbanking/sdkvendor/capture/{payment_id}',
        '/callbacks/sdkvendor',
        '/v2/auth/{tenant}/token',
        '/callbacks/gatewaypoa/orders',
        '/callbacks/gatewaypoa/payments',
        '/callbacks/gatewaypoa/mandates',
        '/callbacks/gatewaypoa/plans',
        '/sandbox/seed',
      ]),
    );
  });

  it('is right about tokens: without one, every other operation answers 401 (AUTH-7)', async () => {
    const closed = operations.filter(({ operation }) => operation.security?.length !== 0);
    const answers = await Promise.all(
      closed.map(async ({ name, path }) => {
        const [method = ''] = name.split(' ');
        const response = await fetch(`${standalone.url}${path.replaceAll(/\{\w+\}/g, '1')}`, {
          method: method.toUpperCase(),
        });
        return { name, status: response.status };
      }),
    );
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
  });

  it('does not contain the routes between services, and the edge does not route them', async () => {
    expect(
      Object.keys(document.paths).filter((path) => /^\/(internal|health|gatewaypoa)/.test(path)),
    ).toEqual([]);
    const answer = await fetch(`${standalone.url}/internal/claims`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
  });
});
