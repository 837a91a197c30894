import { errorBody } from '@fundrail/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import type { KnownRoutes } from '../http/known-routes.ts';

const SCHEME = 'access_token';
const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** The OpenAPI 3.1 document of one service, from the schemas of its routes. Every operation also tells the error answer. */
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
  const document = SwaggerModule.createDocument(app, config);
  addErrorAnswers(document);
  openPublicRoutes(document, routes);
  return document;
}

function operationsOf(document: OpenAPIObject) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

function addErrorAnswers(document: OpenAPIObject): void {
  const { $schema, $defs, ...schema } = z.toJSONSchema(errorBody, { io: 'output', unrepresentable: 'any' });
  document.components ??= {};
  document.components.schemas = { ...document.components.schemas, Error: JSON.parse(JSON.stringify(schema)) };
  for (const { operation } of operationsOf(document)) {
    operation.responses['default'] = {
      description: 'An error, in the one shape of all errors',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
}

function openPublicRoutes(document: OpenAPIObject, routes: KnownRoutes): void {
  for (const { path, method, operation } of operationsOf(document)) {
    if (routes.isPublic(method, path)) operation.security = [];
  }
}
