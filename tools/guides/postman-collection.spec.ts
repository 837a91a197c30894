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

  it('has bodies with the required fields', () => {
    const { body } = found('POST', '/v2/mf_purchases').request;
    expect(JSON.parse((body as { raw: string }).raw)).toEqual({
      mf_investment_account: '',
      scheme: '',
      amount: 1,
    });
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
