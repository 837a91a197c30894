import { errorBody, fieldError } from '@fundrail/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import type { KnownRoutes } from '../http/known-routes.ts';
import { addRefusals, refusals } from './error-answers.ts';
import { tellOptionalBodies } from './optional-bodies.ts';
import { addRateLimitedAnswer, RATE_LIMITED_ANSWER } from './rate-limit-document.ts';

const SCHEME = 'access_token';
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** The OpenAPI 3.1 document of one service, from the schemas of its routes. Every operation also tells its refusals. */
export function openApiDocument(
  app: NestFastifyApplication,
  name: string,
  routes: KnownRoutes,
): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`fundrail ${name}`)
    .setVersion('1.0.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, SCHEME)
    .addSecurityRequirements(SCHEME)
    .build();
  const document = SwaggerModule.createDocument(app, config, { standardSchemaConverter: toJsonSchema });
  addErrorAnswers(document, routes);
  tellOptionalBodies(document);
  addRateLimitedAnswer(document);
  addAccess(document, routes);
  return document;
}

/**
 * A zod schema in the words of OpenAPI 3.1, which are those of JSON Schema 2020-12. Always what stands on the wire (the
 * input side): a `Decimal` is a class to us and a number to the client, in an answer as in a request.
 */
function toJsonSchema(schema: unknown): { schema: unknown; components: Record<string, unknown> } | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: tellIntegers,
  });
  return { schema: converted, components: $defs ?? {} };
}

/** An integer in a query is text that is read as one: clients are told the integer and its bounds. */
function tellIntegers({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  if (!(zodSchema instanceof z.ZodCodec)) return;
  const { in: text, out: read } = zodSchema.def;
  if (!(text instanceof z.ZodString && read instanceof z.ZodNumber)) return;
  const { $schema, ...told } = z.toJSONSchema(read);
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, told);
}

function operationsOf(document: OpenAPIObject) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/** `Error` and `FieldError` as components, referring to each other there. */
function errorSchemas(): NonNullable<NonNullable<OpenAPIObject['components']>['schemas']> {
  const registry = z
    .registry<{ id: string }>()
    .add(errorBody, { id: 'Error' })
    .add(fieldError, { id: 'FieldError' });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` });
  const components = Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]);
  return Object.fromEntries(components) as ReturnType<typeof errorSchemas>;
}

function addErrorAnswers(document: OpenAPIObject, routes: KnownRoutes): void {
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, ...errorSchemas() };
  document.components.responses = { ...document.components.responses, ...refusals() };
  for (const { path, method, operation } of operationsOf(document))
    addRefusals({
      path,
      method,
      isPublic: routes.policyOf(method, path).access === 'public',
      responses: operation.responses,
    });
}

/** Where an Idempotency-Key counts, see `Idempotency`. */
const WITH_KEY = new Set(['post', 'patch']);

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send the request again: the same key answers what the first request was answered. Another request under it is a 422.',
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
  description:
    "The token's tenant, which is also meant when it is left out. A token of scope admin may name any.",
  schema: { type: 'string' },
} as const;

/** Who may use each operation, and what every operation with a token takes and may answer that no route names. */
function addAccess(document: OpenAPIObject, routes: KnownRoutes): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const { access, scope } = routes.policyOf(method, path);
    if (access === 'public') {
      operation.security = [];
      continue;
    }
    if (scope !== undefined) operation.security = [{ [SCHEME]: [scope] }];
    const headers = WITH_KEY.has(method) ? [IDEMPOTENCY_KEY, TENANT] : [TENANT];
    operation.parameters = [...(operation.parameters ?? []), ...headers];
    if (access !== 'internal') operation.responses['429'] ??= RATE_LIMITED_ANSWER;
  }
}
