import type { FastifyInstance } from 'fastify';

interface Route {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  readonly publicMethods: Set<string>;
}

/** Knows which methods a path has, so that a wrong one is told from an unknown path (405 and 404, contract §10). */
export class KnownRoutes {
  private readonly routes = new Map<string, Route>();

  /** Notes every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const isPublic = route.config?.fundrail?.access === 'public';
      for (const method of [route.method].flat()) this.add(route.url, method, isPublic);
    });
  }

  /** The methods of the routes that this URL's path matches; empty when there is none. */
  methodsOf(url: string): string[] {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }

  /** Whether a path of an OpenAPI document (`/v2/things/{id}`) needs no token. */
  isPublic(method: string, documented: string): boolean {
    const url = documented.replaceAll(/\{([^}]+)\}/g, ':$1');
    return this.routes.get(url)?.publicMethods.has(method.toUpperCase()) ?? false;
  }

  private add(url: string, method: string, isPublic: boolean): void {
    const route = this.routes.get(url) ?? {
      pattern: patternOf(url),
      methods: new Set(),
      publicMethods: new Set(),
    };
    route.methods.add(method);
    if (isPublic) route.publicMethods.add(method);
    this.routes.set(url, route);
  }
}

/** `/v2/mf_purchases/:id/cancel` → a pattern with one segment for each parameter. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
