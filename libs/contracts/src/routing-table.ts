/** The service of each path: the single source for the standalone's router, the edge proxy and the Ingress. */
export const SERVICES = [
  'identity',
  'orders',
  'payments',
  'mandates',
  'swp',
  'webhooks',
  'simulator',
] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Route {
  /** A path prefix; the longest one that matches a whole segment wins. */
  readonly prefix: string;
  readonly service: ServiceName;
  /** Routed only when `SANDBOX=true`. */
  readonly sandboxOnly?: true;
}

export const ROUTING_TABLE: readonly Route[] = [
  { prefix: '/v2/auth', service: 'identity' },
  { prefix: '/.well-known/jwks.json', service: 'identity' },
  { prefix: '/v2/investor_profiles', service: 'identity' },
  { prefix: '/v2/bank_accounts', service: 'identity' },
  { prefix: '/v2/mf_investment_accounts', service: 'identity' },
  { prefix: '/v2/tenant', service: 'identity' },
  { prefix: '/admin', service: 'identity' },
  { prefix: '/v2/mf_purchases', service: 'orders' },
  { prefix: '/v2/mf_redemptions', service: 'orders' },
  { prefix: '/callbacks/gatewaypoa/orders', service: 'orders' },
  { prefix: '/api/pg/payments', service: 'payments' },
  { prefix: '/admin/payments', service: 'payments' },
  { prefix: '/callbacks/gatewaypoa/payments', service: 'payments' },
  { prefix: '/callbacks/sdkvendor', service: 'payments' },
  { prefix: '/api/pg/mandates', service: 'mandates' },
  { prefix: '/callbacks/gatewaypoa/mandates', service: 'mandates' },
  { prefix: '/v2/mf_redemption_plans', service: 'swp' },
  { prefix: '/callbacks/gatewaypoa/plans', service: 'swp' },
  { prefix: '/admin/holidays', service: 'swp' },
  { prefix: '/v2/notification_webhooks', service: 'webhooks' },
  { prefix: '/v2/webhook_deliveries', service: 'webhooks' },
  { prefix: '/v2/events', service: 'webhooks' },
  { prefix: '/webhooks', service: 'webhooks' },
  { prefix: '/api/pg/simulate', service: 'simulator', sandboxOnly: true },
  { prefix: '/api/oms/simulate', service: 'simulator', sandboxOnly: true },
  { prefix: '/sandbox', service: 'simulator', sandboxOnly: true },
  { prefix: '/gatewaypoa', service: 'simulator', sandboxOnly: true },
  { prefix: '/sdkvendor', service: 'simulator', sandboxOnly: true },
];

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
