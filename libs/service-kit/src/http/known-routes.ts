import type { FastifyInstance } from 'fastify';
import type { RoutePolicy } from './auth/route-policy.ts';

interface Route {
  readonly pattern: RegExp;
  /** The policy of each method. */
  readonly methods: Map<string, RoutePolicy>;
}

/** Knows the methods of each path, to distinguish a wrong method from an unknown path (405 and 404, CONV-17, ERR-4). */
export class KnownRoutes {
  private readonly routes = new Map<string, Route>();

  /** Records every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      const policy = route.config?.fundrail ?? {};
      for (const method of [route.method].flat()) this.add(route.url, method, policy);
    });
  }

  /** The methods of the route that matches this URL, the one with the fewest parameters. Empty when there is none. */
  methodsOf(url: string): string[] {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    const matching = [...this.routes].filter(([, { pattern }]) => pattern.test(path));
    const [nearest] = matching.sort(([one], [other]) => parametersOf(one) - parametersOf(other));
    return nearest ? [...nearest[1].methods.keys()].sort() : [];
  }

  /** Who may use a path of an OpenAPI document (`/v2/things/{id}`). */
  policyOf(method: string, documented: string): RoutePolicy {
    const url = documented.replaceAll(/\{([^}]+)\}/g, ':$1');
    return this.routes.get(url)?.methods.get(method.toUpperCase()) ?? {};
  }

  private add(url: string, method: string, policy: RoutePolicy): void {
    const route = this.routes.get(url) ?? {
      pattern: patternOf(url),
      methods: new Map<string, RoutePolicy>(),
    };
    route.methods.set(method, policy);
    this.routes.set(url, route);
  }
}

function parametersOf(url: string): number {
  return url.split('/').filter((segment) => segment.startsWith(':') || segment === '*').length;
}

/** `/v2/mf_purchases/:id/cancel` → a pattern with one segment for each parameter. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment === '*' ? '.*' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
