import type { Overlay } from './render.ts';

/**
 * All allowed connections with their port (`*`: any); no others are allowed. The manifest test compares the table with the policies,
 * `npm run k8s:check` with a real cluster. `migration` is the Jobs' pods, `stranger` an unknown pod of our namespace, `elsewhere`
 * a pod of another namespace.
 */
export const CONVERSATIONS: Readonly<Record<Overlay, Readonly<Record<string, readonly string[]>>>> = {
  local: {
    edge: [
      'identity:3000',
      'orders:3000',
      'payments:3000',
      'mandates:3000',
      'swp:3000',
      'webhooks:3000',
      'simulator:3000',
    ],
    identity: ['postgres:5432', 'kafka:9092'],
    orders: ['identity:3000', 'payments:3000', 'swp:3000', 'simulator:3000', 'postgres:5432', 'kafka:9092'],
    payments: [
      'identity:3000',
      'orders:3000',
      'mandates:3000',
      'swp:3000',
      'simulator:3000',
      'postgres:5432',
      'kafka:9092',
    ],
    mandates: ['identity:3000', 'payments:3000', 'simulator:3000', 'postgres:5432', 'kafka:9092'],
    swp: ['identity:3000', 'orders:3000', 'mandates:3000', 'simulator:3000', 'postgres:5432', 'kafka:9092'],
    // A buyer app chooses its port.
    webhooks: [
      'identity:3000',
      'orders:3000',
      'payments:3000',
      'mandates:3000',
      'swp:3000',
      'postgres:5432',
      'kafka:9092',
      'buyer:*',
    ],
    simulator: [
      'edge:8080',
      'identity:3000',
      'orders:3000',
      'payments:3000',
      'mandates:3000',
      'swp:3000',
      'webhooks:3000',
      'postgres:5432',
      'kafka:9092',
    ],
    postgres: [],
    kafka: [],
    migration: ['postgres:5432', 'kafka:9092'],
    buyer: ['edge:8080'],
    stranger: [],
    elsewhere: ['edge:8080'],
  },
  production: {
    edge: ['identity:3000', 'orders:3000', 'payments:3000', 'mandates:3000', 'swp:3000', 'webhooks:3000'],
    identity: ['postgres:5432', 'kafka:9096'],
    orders: ['identity:3000', 'payments:3000', 'swp:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    payments: [
      'identity:3000',
      'orders:3000',
      'mandates:3000',
      'swp:3000',
      'postgres:5432',
      'kafka:9096',
      'outside:*',
    ],
    mandates: ['identity:3000', 'payments:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    swp: ['identity:3000', 'orders:3000', 'mandates:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    webhooks: [
      'identity:3000',
      'orders:3000',
      'payments:3000',
      'mandates:3000',
      'swp:3000',
      'postgres:5432',
      'kafka:9096',
      'outside:*',
    ],
    migration: ['postgres:5432', 'kafka:9096'],
    stranger: [],
    elsewhere: [],
    ingress: [
      'edge:8080',
      'identity:3000',
      'orders:3000',
      'payments:3000',
      'mandates:3000',
      'swp:3000',
      'webhooks:3000',
    ],
    monitoring: [
      'identity:9000',
      'orders:9000',
      'payments:9000',
      'mandates:9000',
      'swp:9000',
      'webhooks:9000',
    ],
  },
};

/** What a component of k8s/components changes of production's table: whole rows, by their first end. */
export const COMPONENT_CONVERSATIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    backup: { backup: ['postgres:5432'] },
    'admin-ingress': { 'admin-ingress': ['identity:3000', 'payments:3000', 'swp:3000'] },
    gateway: { ingress: [], gateway: CONVERSATIONS.production['ingress'] ?? [] },
  };
