import {
  configProvider,
  integerVariable,
  isSandbox,
  networksVariable,
  urlVariable,
} from '@fundrail/service-kit';
import type { Network } from '@fundrail/service-kit/http';
import { z } from 'zod';

const schema = z.object({
  SANDBOX: z.string().optional(),
  PUBLIC_BASE_URL: urlVariable.default('http://127.0.0.1:3000'),
  /** More host names of this machine in the sandbox, such as containers. Comma-separated. */
  SANDBOX_WEBHOOK_HOSTS: z.string().default(''),
  /** HOOK-16: 2xx within 15 s is success. */
  WEBHOOK_TIMEOUT_MS: integerVariable(10, 60_000, 15_000),
  /** Running deliveries in this process that started within the last second: a slower one frees its slot. */
  WEBHOOK_CONCURRENCY: integerVariable(1, 1_000, 512),
  /** All running deliveries in this process, slow ones included. */
  WEBHOOK_IN_FLIGHT: integerVariable(1, 10_000, 1_024),
  /** Limits for one endpoint over all processes: concurrent deliveries, deliveries per second, and concurrent replayed deliveries. */
  WEBHOOK_ENDPOINT_CONCURRENCY: integerVariable(1, 1_000, 8),
  WEBHOOK_ENDPOINT_RATE: integerVariable(1, 10_000, 100),
  WEBHOOK_REPLAY_CONCURRENCY: integerVariable(1, 1_000, 2),
  /** The networks whose X-Forwarded-For is trusted: those of the edge, as CIDRs. */
  TRUSTED_PROXIES: networksVariable,
  ACCESS_TOKEN_JWKS_URL: urlVariable.optional(),
  ACCESS_TOKEN_ISSUER: urlVariable.optional(),
  /** The maximum number of endpoints of a tenant, disabled ones included. */
  WEBHOOK_ENDPOINT_LIMIT: integerVariable(1, 10_000, 100),
});

// Time for recording an outcome on a busy database, beyond the time-out of the call.
const RECORDING_MS = 5_000;

export class WebhooksConfig {
  readonly sandbox: boolean;
  /** The base URL for browsers. */
  readonly publicBaseUrl: string;
  /** Host names, as in a URL, that may resolve to this machine or a private address. Empty outside the sandbox. */
  readonly localHosts: ReadonlySet<string>;
  readonly timeoutMs: number;
  /** Wall milliseconds after which a delivery is retried when its process died. */
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly inFlight: number;
  readonly endpointConcurrency: number;
  readonly endpointRate: number;
  readonly replayConcurrency: number;
  readonly trustedProxies: readonly Network[];
  /** The issuer of access tokens, if it is not identity; otherwise null. */
  readonly otherIssuer: string | null;
  readonly endpointLimit: number;

  constructor(env: z.output<typeof schema>) {
    this.sandbox = isSandbox({ SANDBOX: env.SANDBOX });
    this.publicBaseUrl = env.PUBLIC_BASE_URL;
    const named = env.SANDBOX_WEBHOOK_HOSTS.split(',').map((host) => host.trim().toLowerCase());
    const local = ['localhost', '127.0.0.1', '[::1]', ...named.filter(Boolean)];
    this.localHosts = new Set(this.sandbox ? local : []);
    this.timeoutMs = env.WEBHOOK_TIMEOUT_MS;
    this.leaseMs = env.WEBHOOK_TIMEOUT_MS + RECORDING_MS;
    this.concurrency = env.WEBHOOK_CONCURRENCY;
    this.inFlight = env.WEBHOOK_IN_FLIGHT;
    this.endpointConcurrency = env.WEBHOOK_ENDPOINT_CONCURRENCY;
    this.endpointRate = env.WEBHOOK_ENDPOINT_RATE;
    this.trustedProxies = env.TRUSTED_PROXIES;
    this.otherIssuer = env.ACCESS_TOKEN_JWKS_URL === undefined ? null : (env.ACCESS_TOKEN_ISSUER ?? null);
    this.replayConcurrency = env.WEBHOOK_REPLAY_CONCURRENCY;
    this.endpointLimit = env.WEBHOOK_ENDPOINT_LIMIT;
  }
}

export const webhooksConfig = configProvider(
  WebhooksConfig,
  schema.transform((env) => new WebhooksConfig(env)),
);
