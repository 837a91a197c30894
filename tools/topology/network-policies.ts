import { callsOf, PRODUCT_SERVICES, SERVICES, TOPOLOGY, type ServiceName } from '@fundrail/contracts';
import { GENERATED } from './blocks.ts';

const SERVICE = 'app.kubernetes.io/component: service';

/** Those that call the service, in the order of the table. */
export function callersOf(name: ServiceName): readonly ServiceName[] {
  return PRODUCT_SERVICES.filter((other) => callsOf(other).includes(name));
}

/** Those that call an outside system, which the simulator replaces in the sandbox. */
export const CALLERS_OF_PROVIDERS: readonly ServiceName[] = PRODUCT_SERVICES.filter(
  (name) => TOPOLOGY[name].providers.length > 0,
);

/** Those that connect to addresses outside of the cluster. */
export const TO_THE_OUTSIDE: readonly ServiceName[] = PRODUCT_SERVICES.filter(
  (name) => TOPOLOGY[name].providers.length > 0 || TOPOLOGY[name].reachesClients,
);

/** `- { key: …name, operator: In, values: […] }` */
export function anyOf(names: readonly string[]): string {
  return `- { key: app.kubernetes.io/name, operator: In, values: [${names.join(', ')}] }`;
}

function servicesNamed(names: readonly string[]): string {
  return `        - podSelector:
            matchLabels: { ${SERVICE} }
            matchExpressions:
              ${anyOf(names)}
`;
}

function policy(name: string, selector: string, types: string, rules: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector: ${selector}
  policyTypes: [${types}]
${rules}`;
}

const FROM_EDGE = '        - podSelector: { matchLabels: { app.kubernetes.io/name: edge } }\n';
const BY_HTTP = '      ports: [{ port: http }]\n';

function own(name: ServiceName): string {
  const [callers, calls] = [callersOf(name), callsOf(name)];
  const ingress = `  ingress:
    - from:
${FROM_EDGE}${callers.length > 0 ? servicesNamed(callers) : ''}${BY_HTTP}`;
  const egress = calls.length > 0 ? `  egress:\n    - to:\n${servicesNamed(calls)}${BY_HTTP}` : '';
  const types = egress === '' ? 'Ingress' : 'Ingress, Egress';
  return policy(
    name,
    `{ matchLabels: { app.kubernetes.io/name: ${name}, ${SERVICE} } }`,
    types,
    ingress + egress,
  );
}

/** Who reaches each service, and whom it reaches; and what the edge reaches. */
export function servicePolicies(): string {
  const edge = policy(
    'edge',
    '{ matchLabels: { app.kubernetes.io/name: edge } }',
    'Egress',
    `  egress:\n    - to:\n${servicesNamed(PRODUCT_SERVICES)}${BY_HTTP}`,
  );
  return [edge, ...PRODUCT_SERVICES.map(own)].join('---\n');
}

/** The connections of the simulator: it is called as the outside systems are, calls back through the edge, and sets each clock. */
export function simulatorPolicies(): string {
  const simulator = `{ app.kubernetes.io/name: simulator, ${SERVICE} }`;
  const itself = policy(
    'simulator',
    `{ matchLabels: ${simulator} }`,
    'Ingress, Egress',
    `  ingress:
    - from:
${FROM_EDGE}${servicesNamed(CALLERS_OF_PROVIDERS)}${BY_HTTP}  egress:
    - to:
${FROM_EDGE}        - podSelector: { matchLabels: { ${SERVICE} } }
${BY_HTTP}`,
  );
  const to = policy(
    'to-simulator',
    `\n    matchExpressions:\n      ${anyOf(['edge', ...CALLERS_OF_PROVIDERS])}`,
    'Egress',
    `  egress:\n    - to:\n        - podSelector:\n            matchLabels: ${simulator}\n${BY_HTTP}`,
  );
  const from = policy(
    'from-simulator',
    `{ matchLabels: { ${SERVICE} } }`,
    'Ingress',
    `  ingress:\n    - from:\n        - podSelector:\n            matchLabels: ${simulator}\n${BY_HTTP}`,
  );
  return `${GENERATED}
# The connections of the simulator. It simulates outside systems, with callbacks through the edge, and the sandbox's clock, which it
# sets in every service.
${[itself, to, from].join('---\n')}`;
}

/** The services behind /admin, which operators reach by a way of their own. */
export const BEHIND_ADMIN: readonly ServiceName[] = SERVICES.filter((name) =>
  TOPOLOGY[name].routes.some(isAdmin),
);

export function isAdmin(route: string): boolean {
  return route === '/admin' || route.startsWith('/admin/');
}
