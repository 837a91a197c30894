import { SERVICES, TOPOLOGY, type ServiceName } from './topology.ts';

export interface Route {
  /** A path prefix; the longest one that matches a whole segment wins. */
  readonly prefix: string;
  readonly service: ServiceName;
  /** Routed only when `SANDBOX=true`. */
  readonly sandboxOnly?: true;
}

/** The service of each path, from TOPOLOGY: for the standalone's router, the edge and the Ingress. */
export const ROUTING_TABLE: readonly Route[] = SERVICES.flatMap((service) => {
  const { routes, sandboxOnly } = TOPOLOGY[service];
  return routes.map((prefix) => ({ prefix, service, ...(sandboxOnly && { sandboxOnly }) }));
});

/** The service for a path, or null when the edge answers 404. `/internal/*`, health and metrics have no row, so the edge never routes them. */
export function routeFor(path: string, sandbox: boolean): ServiceName | null {
  let best: Route | null = null;
  for (const route of ROUTING_TABLE) {
    if (route.sandboxOnly && !sandbox) continue;
    if (path !== route.prefix && !path.startsWith(`${route.prefix}/`)) continue;
    if (!best || route.prefix.length > best.prefix.length) best = route;
  }
  return best?.service ?? null;
}
