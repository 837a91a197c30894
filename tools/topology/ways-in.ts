import { PORTS, PRODUCT_SERVICES, ROUTING_TABLE, TOPOLOGY } from '@fundrail/contracts';
import { isAdmin } from './network-policies.ts';

/** One path of an Ingress. */
function path(prefix: string, service: string): string {
  return `- path: ${prefix}
  pathType: Prefix
  backend: { service: { name: ${service}, port: { name: http } } }
`;
}

/** The rows of ROUTING_TABLE outside the sandbox, without those of /admin. */
const PUBLIC = ROUTING_TABLE.filter(({ prefix, sandboxOnly }) => !sandboxOnly && !isAdmin(prefix));

/** The paths of the public Ingress. All others go to the edge. */
export function ingressPaths(): string {
  return [...PUBLIC.map(({ prefix, service }) => path(prefix, service)), path('/', 'edge')].join('');
}

const ADMIN = ROUTING_TABLE.filter(({ prefix }) => isAdmin(prefix)).toSorted((one, other) =>
  one.prefix < other.prefix ? -1 : 1,
);

/** The paths of the operators' Ingress, with the tokens that operators need. */
export function adminPaths(): string {
  const tokens = ROUTING_TABLE.filter(({ prefix }) => prefix === '/v2/auth');
  return [...ADMIN, ...tokens].map(({ prefix, service }) => path(prefix, service)).join('');
}

/** How operators reach each of these paths without an Ingress. */
const FORWARDS = ADMIN.map(
  ({ prefix, service }) =>
    `kubectl -n fundrail port-forward service/${service} 8080:${PORTS.http}   # ${prefix}\n`,
);

/** The same as comments of a manifest. */
export function portForwards(): string {
  return FORWARDS.map((line) => `#   ${line}`).join('');
}

/** The same for a page. */
export function adminCommands(): string {
  return `\n\`\`\`sh\n${FORWARDS.join('')}\`\`\`\n\n`;
}

/** The rules of the Gateway API's route, one for each service. */
export function gatewayRules(): string {
  const rule = (prefixes: readonly string[], name: string, port: number) => `- matches:
${prefixes.map((value) => `    - path: { type: PathPrefix, value: ${value} }\n`).join('')}  backendRefs: [{ name: ${name}, port: ${port} }]
`;
  // A rule without a path would match every one.
  const rules = PRODUCT_SERVICES.flatMap((name) => {
    const routes = TOPOLOGY[name].routes.filter((route) => !isAdmin(route));
    return routes.length > 0 ? [rule(routes, name, PORTS.http)] : [];
  });
  return [...rules, rule(['/'], 'edge', PORTS.edge)].join('');
}
