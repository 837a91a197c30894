import { METHOD_METADATA, ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { ModulesContainer } from '@nestjs/core';
import { noteRequestParts } from '../http/auth/route-policy.ts';
import { controllerMethods, type ControllerMethod } from './controller-methods.ts';

/** Notes for each route which parts of a request its handler reads, for `refuseUnreadInput`. Runs before the routes are created. */
export function noteWhatRoutesRead(modules: ModulesContainer): void {
  for (const method of controllerMethods(modules)) {
    if (!Reflect.hasMetadata(METHOD_METADATA, method.handler)) continue;
    const kinds = argumentKinds(method);
    noteRequestParts(method.handler, {
      query: kinds.has(RouteParamtypes.QUERY),
      body: kinds.has(RouteParamtypes.BODY),
    });
  }
}

/** Nest keeps a method's decorated arguments under keys of the form `kind:position`. */
function argumentKinds({ controller, name }: ControllerMethod): Set<number> {
  const found: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name);
  return new Set(Object.keys(found ?? {}).map((key) => Number(key.split(':', 1)[0])));
}
