import { callsOf, PORTS, PRODUCT_SERVICES, SERVICES, TOPOLOGY, type ServiceName } from '@fundrail/contracts';
import { BEHIND_ADMIN } from '../topology/network-policies.ts';
import type { Overlay } from './render.ts';

type Conversations = Readonly<Record<string, readonly string[]>>;

const KAFKA = { local: 'kafka:9092', production: 'kafka:9096' } as const;

/**
 * All allowed connections with their port (`*`: any); no others are allowed. The manifest test compares the table with the policies,
 * `npm run k8s:check` with a real cluster. `migration` is the Jobs' pods, `stranger` an unknown pod of our namespace, `elsewhere`
 * a pod of another namespace.
 */
export const CONVERSATIONS: Readonly<Record<Overlay, Conversations>> = {
  local: {
    ...rows('local', SERVICES),
    edge: byHttp(SERVICES),
    simulator: [`edge:${PORTS.edge}`, ...reachedBy('local', 'simulator')],
    postgres: [],
    kafka: [],
    migration: stores('local'),
    buyer: [`edge:${PORTS.edge}`],
    stranger: [],
    elsewhere: [`edge:${PORTS.edge}`],
  },
  production: {
    ...rows('production', PRODUCT_SERVICES),
    edge: byHttp(PRODUCT_SERVICES),
    migration: stores('production'),
    stranger: [],
    elsewhere: [],
    ingress: [`edge:${PORTS.edge}`, ...byHttp(PRODUCT_SERVICES)],
    monitoring: PRODUCT_SERVICES.map((name) => `${name}:${PORTS.ops}`),
  },
};

/** What a component of k8s/components changes of production's table: whole rows, by their first end. */
export const COMPONENT_CONVERSATIONS: Readonly<Record<string, Conversations>> = {
  backup: { backup: ['postgres:5432'] },
  'admin-ingress': { 'admin-ingress': byHttp(BEHIND_ADMIN) },
  gateway: { ingress: [], gateway: CONVERSATIONS.production['ingress'] ?? [] },
};

function rows(overlay: Overlay, names: readonly ServiceName[]): Conversations {
  return Object.fromEntries(names.map((name) => [name, reachedBy(overlay, name)]));
}

/** Its neighbours and stores, and what it reaches outside: in the local overlay the simulator, and the pods of buyer apps at any port. */
function reachedBy(overlay: Overlay, name: ServiceName): readonly string[] {
  const { providers, reachesClients, sandboxOnly } = TOPOLOGY[name];
  const outside = {
    local: [
      ...(providers.length > 0 && !sandboxOnly ? byHttp(['simulator']) : []),
      ...(reachesClients ? ['buyer:*'] : []),
    ],
    production: providers.length > 0 || reachesClients ? ['outside:*'] : [],
  };
  return [...byHttp(callsOf(name)), ...stores(overlay), ...outside[overlay]];
}

function stores(overlay: Overlay): readonly string[] {
  return ['postgres:5432', KAFKA[overlay]];
}

function byHttp(names: readonly string[]): readonly string[] {
  return names.map((name) => `${name}:${PORTS.http}`);
}
