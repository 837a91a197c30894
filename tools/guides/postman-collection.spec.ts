import { readFileSync } from 'node:fs';
import { openApi, operationsOf } from './openapi-document.ts';
import { exampleOf, postmanCollection } from './postman-collection.ts';

const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const document = openApi.parse(JSON.parse(text));
const collection = postmanCollection(document);
const requests = collection.item.flatMap(({ item }) => item);
const found = (method: string, path: string) =>
  requests.find(({ request }) => request.method === method && request.url.raw === `{{base}}${path}`)!;

describe("Postman's collection", () => {
  it('has each operation of the document once', () => {
    const named = requests.map(
      ({ request: { method, url } }) => `${method} ${url.raw.replace('{{base}}', '')}`,
    );
    const expected = operationsOf(document).map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(named.toSorted()).toEqual(expected.toSorted());
  });

  it('has a variable for each part of a path that varies', () => {
    for (const { request } of requests)
      expect(request.url.variable.map(({ key }) => `:${key}`)).toEqual(
        request.url.path.filter((part) => part.startsWith(':')),
      );
  });

  it('gets the token without one, and stores it', () => {
    const token = found('POST', '/v2/auth/:tenant/token');
    expect(token.request.auth).toEqual({ type: 'noauth' });
    expect(token.request.body).toMatchObject({
      mode: 'urlencoded',
      urlencoded: expect.arrayContaining([
        { key: 'grant_type', value: 'client_credentials', disabled: false },
        { key: 'client_secret', value: '{{client_secret}}', disabled: false },
      ]),
    });
    expect(JSON.stringify(token.event)).toContain("collectionVariables.set('token'");
  });

  it('contains no secret', () => {
    expect(
      collection.variable.filter(({ key }) => /secret|token|client/.test(key)).map(({ value }) => value),
    ).toEqual(['', '', '']);
    expect(JSON.stringify(collection)).not.toContain('demo-secret');
  });

  it('has the example of the document in each body', () => {
    const { body } = found('PATCH', '/v2/mf_purchases').request;
    expect(JSON.parse((body as { raw: string }).raw)).toEqual({
      id: 'mfp_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b',
      consent: { email: 'asha.rao@example.com', isd_code: '91', mobile: '9876543210' },
    });
    const empty = requests.filter(({ request }) => JSON.stringify(request.body ?? null).includes('"{}"'));
    // Parties outside send these.
    expect(empty.filter(({ request }) => !/callbacks|capture/.test(request.url.raw))).toEqual([]);
  });

  it.each([
    [{ $ref: '#/components/schemas/A' }, 'x'],
    [{ anyOf: [{ type: 'null' }, { type: 'integer' }] }, 1],
    [{ type: ['null', 'boolean'] }, true],
    [
      {
        allOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      { a: '', b: '' },
    ],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, ['2026-12-01']],
  ])('makes an example of %j', (schema, example) => {
    expect(exampleOf(schema, { A: { enum: ['x', 'y'] } })).toEqual(example);
  });
});
