import {
  errorBody,
  fieldError,
  integerId,
  policySource,
  policyWords,
  refusingPolicy,
  toPublished,
} from '@fundrail/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import type { KnownRoutes } from '../http/known-routes.ts';
import { describeFields } from './describe-fields.ts';
import { addDiscriminators } from './discriminators.ts';
import { addRefusals, addSuccessHeaders, HEADERS, RATE_LIMITED_ANSWER, refusals } from './error-answers.ts';
import { nameOperations } from './operation-ids.ts';
import { addErrorCodes } from './error-codes.ts';
import { markOptionalBodies } from './optional-bodies.ts';
import { addExamples } from './request-examples.ts';

/** An access token as it is, and the way to get one; either describes the same header. */
const SCHEMES = ['access_token', 'client_credentials'] as const;
const CLIENT_CREDENTIALS = {
  type: 'oauth2' as const,
  description: 'The token endpoint of tenant `demo`. Every tenant has its own: put its name there.',
  flows: {
    clientCredentials: {
      tokenUrl: '/v2/auth/demo/token',
      scopes: {
        admin: 'Operates tenants, clients, refunds and holidays',
        'bank_accounts:reveal': 'Reads whole account numbers',
      },
    },
  },
};
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** The OpenAPI 3.1 document of one service, from the schemas of its routes. Every operation also lists its refusals. */
export function openApiDocument(
  app: NestFastifyApplication,
  name: string,
  routes: KnownRoutes,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`fundrail ${name}`)
    .setVersion('1.0.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, SCHEMES[0])
    .addOAuth2(CLIENT_CREDENTIALS, SCHEMES[1])
    .addSecurityRequirements(SCHEMES[0])
    .addSecurityRequirements(SCHEMES[1])
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: () => '',
    standardSchemaConverter: (schema, { schemaType }) => toJsonSchema(schema, schemaType),
  });
  nameOperations(document);
  addErrorAnswers(document, routes);
  markOptionalBodies(document);
  markIntegerIds(document);
  describeFields(document);
  addDiscriminators(document);
  addExamples(document);
  addAccess(document, routes);
  addErrorCodes(document);
  return document;
}

/**
 * A zod schema as JSON Schema 2020-12, which OpenAPI 3.1 uses. It always describes the wire (zod's input side): a `Decimal` is a
 * class in our code and a number for the client, in an answer (`output`) as in a request.
 */
export function toJsonSchema(
  schema: unknown,
  direction: 'input' | 'output',
): { schema: unknown; components: Record<string, unknown> } | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: (part) => {
      describeInteger(part);
      toPublished(part, direction);
      // oapi-codegen would make it a float32, which keeps seven digits of an amount.
      if (part.jsonSchema.format === 'decimal') part.jsonSchema['x-go-type'] = 'float64';
    },
  });
  return { schema: converted, components: $defs ?? {} };
}

/** An integer in a query is read from text; the document shows the integer and its bounds. */
function describeInteger({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  if (!(zodSchema instanceof z.ZodCodec)) return;
  const { in: text, out: read } = zodSchema.def;
  if (!(text instanceof z.ZodString && read instanceof z.ZodNumber)) return;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, integerSchema(read));
}

function integerSchema(integer: z.ZodNumber): object {
  const { $schema, ...schema } = z.toJSONSchema(integer);
  return schema;
}

/** The paths whose objects have integer ids (CONV-2); the trace is a payment's. */
const WITH_INTEGER_IDS = /^\/(api|admin\/payments)\//;

/** An id in these paths is the number of the answers. Mandates also take a `mandate_ref` there (MAN-5); any other text is a 404. */
function markIntegerIds(document: OpenAPIObject): void {
  for (const { path, operation } of operationsOf(document)) {
    if (!WITH_INTEGER_IDS.test(path)) continue;
    for (const parameter of operation.parameters ?? [])
      if ('in' in parameter && parameter.in === 'path') parameter.schema = integerSchema(integerId);
  }
}

function operationsOf(document: OpenAPIObject) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/** `Error` and what it consists of as components, referring to each other there. */
function errorSchemas(): NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> {
  const registry = z
    .registry<{ id: string }>()
    .add(errorBody, { id: 'Error' })
    .add(fieldError, { id: 'FieldError' })
    .add(refusingPolicy, { id: 'RefusingPolicy' })
    .add(policySource, { id: 'PolicySource' })
    .add(policyWords, { id: 'PolicyWords' });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: (part) => {
      toPublished(part, 'output');
    },
  });
  const components = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
  return Object.fromEntries(components) as ReturnType<typeof errorSchemas>;
}

function addErrorAnswers(document: OpenAPIObject, routes: KnownRoutes): void {
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, ...errorSchemas() };
  document.components.responses = { ...document.components.responses, ...refusals() };
  document.components.headers = { ...document.components.headers, ...HEADERS };
  for (const { path, method, operation } of operationsOf(document))
    addRefusals({
      path,
      method,
      isPublic: routes.policyOf(method, path).access === 'public',
      responses: operation.responses,
    });
}

/** The methods that take an Idempotency-Key, see `Idempotency`. */
const WITH_KEY = new Set(['post', 'patch']);

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to retry the request: the same key returns the answer to the first request, but without a secret that is shown only once. A different request with the same key to the same service is a 422.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
  },
} as const;
const TENANT = {
  name: 'x-tenant-id',
  in: 'header',
  required: false,
  description: "The token's tenant; this is also the default. A token with scope admin may name any tenant.",
  schema: { type: 'string' },
} as const;

/** Who may use each operation, and the headers and answers that all operations with a token share. */
function addAccess(document: OpenAPIObject, routes: KnownRoutes): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const { access, scope } = routes.policyOf(method, path);
    if (access === 'public') {
      operation.security = [];
      continue;
    }
    if (scope !== undefined) operation.security = [{ [SCHEMES[0]]: [] }, { [SCHEMES[1]]: [scope] }];
    const [hasKey, isLimited] = [WITH_KEY.has(method), access !== 'internal'];
    operation.parameters = [...(operation.parameters ?? []), ...(hasKey ? [IDEMPOTENCY_KEY] : []), TENANT];
    if (isLimited) operation.responses['429'] ??= RATE_LIMITED_ANSWER;
    addSuccessHeaders(operation.responses, isLimited, hasKey);
  }
}
