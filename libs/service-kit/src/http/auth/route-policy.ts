import 'reflect-metadata';

/** Nest's adapter passes this metadata of a handler to Fastify as the route's `config`. */
const ROUTE_CONFIG = '__fastify_route_config__';

/** Who may use a route, and which body it accepts. The default is a tenant's token and a JSON body. */
export interface RoutePolicy {
  readonly access?: 'tenant' | 'public' | 'internal';
  readonly scope?: string;
  /** The body is only a form, or a form or JSON. */
  readonly form?: 'only' | 'or_json';
  /** The form of refusals of the body: that of ERR-1 by default, or that of RFC 6749 §5.2. */
  readonly errors?: 'oauth';
  /** The parts of a request that the handler reads; input in another part is refused. */
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

/** Notes what a controller's method reads, before its route is created. */
export function noteRequestParts(handler: object, reads: RequestParts): void {
  extend(handler, { reads }, 'method');
}

/** On a method, for this method; on a class, for its methods without the decorator. */
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

/** Only a service token. The path starts with `/internal/`. */
export const Internal = () => policy({ access: 'internal' });

/** A tenant's token that has this scope; 403 otherwise. */
export const RequireScope = (scope: string) => policy({ access: 'tenant', scope });

/** The body is `application/x-www-form-urlencoded`, or also JSON with `or`; any other is answered 415. */
export const AcceptsForm = (or?: { readonly json: true }) => policy({ form: or?.json ? 'or_json' : 'only' });

/** Refusals of the body by the kit (400, 413, 415) have the form of RFC 6749 §5.2, like the route's own refusals. */
export const AnswersAsOAuth = () => policy({ errors: 'oauth' });
