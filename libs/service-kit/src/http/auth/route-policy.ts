import 'reflect-metadata';

/** Nest's adapter hands this metadata of a handler to Fastify as the route's `config`. */
const ROUTE_CONFIG = '__fastify_route_config__';

/** Who may use a route, and what it takes. The default is a tenant's token and a JSON body. */
export interface RoutePolicy {
  readonly access?: 'tenant' | 'public' | 'internal';
  readonly scope?: string;
  readonly form?: boolean;
  /** The parts of a request that the handler reads; what comes in another part is refused. */
  readonly reads?: RequestParts;
}

export interface RequestParts {
  readonly query: boolean;
  readonly body: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    fundrail?: RoutePolicy;
  }
}

interface RouteConfig {
  fundrail?: RoutePolicy;
}

function extend(handler: object, policy: RoutePolicy, strength: 'method' | 'class'): void {
  const config = (Reflect.getMetadata(ROUTE_CONFIG, handler) as RouteConfig | undefined) ?? {};
  const fundrail =
    strength === 'method' ? { ...config.fundrail, ...policy } : { ...policy, ...config.fundrail };
  Reflect.defineMetadata(ROUTE_CONFIG, { ...config, fundrail }, handler);
}

/** The policy that decorators gave a controller's method. */
export function policyOf(handler: object): RoutePolicy {
  return (Reflect.getMetadata(ROUTE_CONFIG, handler) as RouteConfig | undefined)?.fundrail ?? {};
}

/** Notes what a controller's method reads, before its route is made. */
export function noteRequestParts(handler: object, reads: RequestParts): void {
  extend(handler, { reads }, 'method');
}

/** On a method, for it; on a class, for those of its methods that say nothing themselves. */
function policy(of: RoutePolicy): ClassDecorator & MethodDecorator {
  return (target: object, _key?: PropertyKey, descriptor?: PropertyDescriptor): void => {
    if (descriptor) {
      extend(descriptor.value as object, of, 'method');
      return;
    }
    const { prototype } = target as { prototype: object };
    for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== 'constructor' && typeof own.value === 'function') extend(own.value as object, of, 'class');
    }
  };
}

/** No token: documents, callbacks (which check their own signature), the token endpoint. */
export const Public = () => policy({ access: 'public' });

/** A service token and nothing else. The path begins with `/internal/`. */
export const Internal = () => policy({ access: 'internal' });

/** A tenant's token that has this scope; 403 otherwise. */
export const RequireScope = (scope: string) => policy({ access: 'tenant', scope });

/** The route takes `application/x-www-form-urlencoded` too (the token endpoint, the capture's form post); others answer 415. */
export const AcceptsForm = () => policy({ form: true });
