import { operationsOf, type OpenApi, type Operation, type Schema } from './openapi-document.ts';

const FORM = 'application/x-www-form-urlencoded';
const TOKEN_PATH = '/v2/auth/{tenant}/token';

interface Field {
  readonly key: string;
  readonly value: string;
  readonly description?: string | undefined;
  readonly disabled?: boolean;
}

/** A request of the collection, in the form of Postman's schema v2.1.0. */
interface PostmanRequest {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly auth?: { readonly type: 'noauth' };
    readonly header: readonly Field[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly Field[];
      readonly variable: readonly Field[];
    };
    readonly body?: object;
  };
  readonly event?: readonly object[];
}

interface PostmanCollection {
  readonly info: { readonly name: string; readonly schema: string; readonly description: string };
  readonly auth: object;
  readonly variable: readonly Field[];
  readonly item: readonly { readonly name: string; readonly item: readonly PostmanRequest[] }[];
}

/**
 * Postman's collection of all operations, a folder for each tag. A body is the example of its operation; ids in it are to be replaced. The request for a token stores it for all
 * others. It contains no secret.
 */
export function postmanCollection(document: OpenApi): PostmanCollection {
  const all = operationsOf(document);
  const folder = (name: string) => ({
    name,
    item: all
      .filter(({ operation }) => operation.tags[0] === name)
      .map(({ path, method, operation }) => requestOf(document, path, method, operation)),
  });
  return {
    info: {
      name: 'fundrail',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
      description:
        'Fill in the variables, and send the request for a token first. The ids in bodies are examples: put your own there. Made from openapi.json.',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'base', value: 'http://127.0.0.1:3000' },
      { key: 'tenant', value: 'demo' },
      ...['client_id', 'client_secret', 'token'].map((key) => ({ key, value: '' })),
    ],
    item: document.tags.map(({ name }) => folder(name)).filter(({ item }) => item.length > 0),
  };
}

function requestOf(document: OpenApi, path: string, method: string, operation: Operation): PostmanRequest {
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  const inPlace = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const body = bodyOf(document, operation);
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? operation.summary,
      ...(operation.security?.length === 0 && { auth: { type: 'noauth' as const } }),
      header: [
        ...inPlace('header').map(({ name, required, description }) => ({
          key: name,
          value: name === 'Idempotency-Key' ? '{{$guid}}' : '',
          description,
          disabled: name !== 'Idempotency-Key' && required !== true,
        })),
        ...(body?.mode === 'raw' ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{base}}/${segments.join('/')}`,
        host: ['{{base}}'],
        path: segments,
        query: inPlace('query').map(({ name, required, description }) => ({
          ...{ key: name, value: '', description, disabled: required !== true },
        })),
        variable: inPlace('path').map(({ name, description }) => ({
          ...{ key: name, value: name === 'tenant' ? '{{tenant}}' : '', description },
        })),
      },
      ...(body && { body }),
    },
    ...(path === TOKEN_PATH && { event: [STORE_TOKEN] }),
  };
}

/** Runs in Postman after the answer. */
const STORE_TOKEN = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["pm.collectionVariables.set('token', pm.response.json().access_token);"],
  },
};

function bodyOf(document: OpenApi, { requestBody }: Operation) {
  const content = requestBody?.content ?? {};
  const json = content['application/json'];
  if (json) {
    const example = json.example ?? exampleOf(json.schema, document.components.schemas);
    return {
      mode: 'raw' as const,
      raw: JSON.stringify(example, null, 2),
      options: { raw: { language: 'json' } },
    };
  }
  const form = content[FORM];
  if (!form) return null;
  return {
    mode: 'urlencoded' as const,
    urlencoded: Object.entries(form.schema.properties ?? {}).map(([key, field]) => ({
      key,
      value: ['client_id', 'client_secret'].includes(key) ? `{{${key}}}` : firstWordOf(field),
      disabled: key === 'scope',
    })),
  };
}

function firstWordOf({ enum: words }: Schema): string {
  const first = words?.[0];
  return typeof first === 'string' ? first : '';
}

/** A value of that schema with the required fields alone. It shows the shape; ids and names are to be filled in. */
export function exampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown {
  const { $ref, type, enum: words, const: only, default: preset, properties = {}, required = [] } = schema;
  if ($ref !== undefined) {
    const target = schemas[$ref.replace('#/components/schemas/', '')];
    if (!target) throw new Error(`the document has no ${$ref}`);
    return exampleOf(target, schemas);
  }
  if (only !== undefined) return only;
  if (preset !== undefined) return preset;
  if (words) return words[0];
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null');
  if (choice) return exampleOf(choice, schemas);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas)));
  const kind = typeof type === 'string' ? type : type?.find((one) => one !== 'null');
  if (kind === 'object')
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]));
  if (kind === 'array') return schema.items ? [exampleOf(schema.items, schemas)] : [];
  if (kind === 'integer' || kind === 'number') return 1;
  if (kind === 'boolean') return true;
  return TEXTS[schema.format ?? ''] ?? '';
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-12-01',
  'date-time': '2026-12-01T10:00:00+05:30',
  email: 'asha@example.com',
  uri: 'https://app.example/hooks',
};
