import { callbacksTo, PROVIDER_IDS, SIMULATED_PROVIDERS, type Provider } from './provider-facts.ts';

/**
 * The product as it is deployed: its services, what reaches each of them, and what each of them reaches. The edge, Docker Compose,
 * the Kubernetes manifests, Prometheus and the pictures of the documents are generated from it (`npm run docs`), and a service
 * refuses a call that is not in it. A new service begins with an entry here.
 */
interface Entry {
  /** Path prefixes of its routes; the longest one that matches whole segments wins. `/internal/*` has none, so no edge routes it. */
  readonly routes: readonly string[];
  /** The services whose internal routes it calls, each with what it asks (CALL-6). All of them ask identity for the keys of tokens too. */
  readonly calls: Readonly<Partial<Record<string, string>>>;
  /** The topics that it alone writes. */
  readonly topics: readonly string[];
  /** The outside systems that it calls, or in the sandbox simulates. */
  readonly providers: readonly Provider[];
  /** Further Secrets of its own, beside the database's URL and the key that encrypts personal data. */
  readonly secrets?: readonly string[];
  /** It counts by the client's address, which it takes from the edge. */
  readonly readsAddresses?: true;
  /** It connects to the addresses that clients name. */
  readonly reachesClients?: true;
  /** It runs in the sandbox only, where it simulates what is outside. */
  readonly sandboxOnly?: true;
  /**
   * Its former name, which stays where it is stored or where replicas of the release before know it: the name of the database, of
   * connections and locks, the group of inboxes, the place of encrypted values, and who a service token is of (decision 0053).
   */
  readonly storedAs?: string;
}

/** The ports in containers and pods: requests, health and metrics, and the edge's own. */
export const PORTS = { http: 3_000, ops: 9_000, edge: 8_080 } as const;

const FACTS = 'facts of an investor, settings of a tenant';
/** Reconciliation: what the other service has published. */
const MISSED = 'at night, events that were missed';
/** Identity alone knows which ids are of one person (decision 0063). */
const PERSONAL = 'what is stored about an investor, its export and its erasure';
const CLOCK = "the sandbox's clock, its seed, what is to be simulated";

const services = {
  identity: {
    routes: [
      '/v2/auth',
      '/.well-known/jwks.json',
      '/v2/investor_profiles',
      '/v2/bank_accounts',
      '/v2/phone_numbers',
      '/v2/email_addresses',
      '/v2/addresses',
      '/v2/related_parties',
      '/v2/mf_investment_accounts',
      '/v2/tenant',
      '/v2/policies',
      '/admin',
    ],
    calls: {
      orders: PERSONAL,
      payments: PERSONAL,
      mandates: PERSONAL,
      plans: PERSONAL,
      webhooks: PERSONAL,
    },
    topics: [],
    providers: [],
    secrets: ['ADMIN_CLIENT_SECRET'],
    readsAddresses: true,
  },
  orders: {
    routes: ['/v2/mf_purchases', '/v2/mf_redemptions', '/v2/mf_folios', '/callbacks/gatewaypoa/orders'],
    calls: {
      identity: FACTS,
      payments: 'what became of a claim, the debit of an installment',
      plans: 'the next installment of a plan, what an instruction skips',
    },
    topics: ['mf_purchase', 'mf_redemption'],
    providers: ['gatewaypoa'],
  },
  payments: {
    routes: ['/api/pg/payments', '/admin/payments', ...callbacksTo('payments').map(({ path }) => path)],
    calls: {
      identity: FACTS,
      orders: 'claims, and whether money may be given up or refunded',
      mandates:
        'authorisations, admissions, cancellations of debits, facts from callbacks, its part of a trace, an operator’s question',
      plans: MISSED,
    },
    topics: ['payment', 'mandate_fact'],
    providers: PROVIDER_IDS,
    readsAddresses: true,
  },
  mandates: {
    routes: ['/api/pg/mandates', ...callbacksTo('mandates').map(({ path }) => path)],
    calls: { identity: FACTS, payments: 'what became of a payment', plans: MISSED },
    topics: ['mandate', 'mandate_debit'],
    providers: PROVIDER_IDS,
  },
  plans: {
    routes: [
      '/v2/mf_redemption_plans',
      '/v2/mf_purchase_plans',
      '/callbacks/gatewaypoa/plans',
      '/admin/holidays',
    ],
    calls: { identity: FACTS, orders: 'states of installments', mandates: 'facts of a mandate' },
    topics: ['mf_redemption_plan', 'mf_purchase_plan', 'holiday_year'],
    providers: ['gatewaypoa'],
    storedAs: 'swp',
  },
  webhooks: {
    routes: ['/v2/notification_webhooks', '/v2/webhook_deliveries', '/v2/events', '/webhooks'],
    calls: {
      identity: 'sign-ins to the dashboard, settings',
      orders: MISSED,
      payments: MISSED,
      mandates: MISSED,
      plans: MISSED,
    },
    topics: ['notification_webhook'],
    providers: [],
    readsAddresses: true,
    reachesClients: true,
  },
  simulator: {
    routes: [
      '/api/pg/simulate',
      '/api/oms/simulate',
      '/sandbox',
      ...SIMULATED_PROVIDERS.map(({ provider }) => `/${provider}`),
    ],
    calls: {
      identity: CLOCK,
      orders: CLOCK,
      payments: CLOCK,
      mandates: CLOCK,
      plans: CLOCK,
      webhooks: CLOCK,
    },
    topics: [],
    providers: SIMULATED_PROVIDERS.map(({ provider }) => provider),
    sandboxOnly: true,
  },
} as const satisfies Record<string, Entry>;

export type ServiceName = keyof typeof services;

/** An entry of the table, as a reader of any of them sees it. */
interface ServiceTopology extends Entry {
  readonly calls: Readonly<Partial<Record<ServiceName, string>>>;
}

export const TOPOLOGY: Readonly<Record<ServiceName, ServiceTopology>> = services;

/** Every service, in the order of the table. */
export const SERVICES = Object.keys(services) as readonly ServiceName[];

/** The services outside the sandbox. */
export const PRODUCT_SERVICES = SERVICES.filter((name) => !TOPOLOGY[name].sandboxOnly);

/** The services whose internal routes it may call. */
export function callsOf(name: ServiceName): readonly ServiceName[] {
  return SERVICES.filter((other) => TOPOLOGY[name].calls[other] !== undefined);
}

/** The name under which a service is stored: its own, unless it was renamed. */
export function storedNameOf(name: ServiceName): string {
  return TOPOLOGY[name].storedAs ?? name;
}

/** The variable with the address of a service, for those that call it. */
export type UrlVariable = `${Uppercase<ServiceName>}_URL`;

export function urlVariableOf(name: ServiceName): UrlVariable {
  return `${name.toUpperCase() as Uppercase<ServiceName>}_URL`;
}
