import type { Overlay } from './render.ts';

/**
 * Who connects to whom, and on which port (`*`: any): all that is allowed, and nothing else is. The manifest test compares it with the
 * policies, `npm run k8s:check` with what really happens in a cluster. `migration` stands for the Jobs' pods, `stranger` for a
 * pod of our namespace that nobody knows, `elsewhere` for one of another namespace.
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
      'simulator:3000',
      'postgres:5432',
      'kafka:9092',
    ],
    mandates: ['identity:3000', 'payments:3000', 'simulator:3000', 'postgres:5432', 'kafka:9092'],
    swp: ['identity:3000', 'mandates:3000', 'simulator:3000', 'postgres:5432', 'kafka:9092'],
    // A buyer app chooses its port.
    webhooks: ['identity:3000', 'postgres:5432', 'kafka:9092', 'buyer:*'],
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
    payments: ['identity:3000', 'orders:3000', 'mandates:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    mandates: ['identity:3000', 'payments:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    swp: ['identity:3000', 'mandates:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
    webhooks: ['identity:3000', 'postgres:5432', 'kafka:9096', 'outside:*'],
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
