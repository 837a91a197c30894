import { configProvider, integerVariable, isSandbox } from '@fundrail/service-kit';
import { z } from 'zod';

const schema = z.object({
  SANDBOX: z.string().optional(),
  /** Further names that stand for this machine in the sandbox: containers. Comma-separated. */
  SANDBOX_WEBHOOK_HOSTS: z.string().default(''),
  /** Contract §6: 2xx within 15 s is success. */
  WEBHOOK_TIMEOUT_MS: integerVariable(10, 60_000, 15_000),
  /** Deliveries that run at the same time in this process, and to one endpoint over all of them. */
  WEBHOOK_CONCURRENCY: integerVariable(1, 1_000, 64),
  WEBHOOK_ENDPOINT_CONCURRENCY: integerVariable(1, 1_000, 8),
});

// What recording an outcome may take on a busy database, beyond the time-out of the call.
const RECORDING_MS = 5_000;

/** The variables of webhooks alone. */
export class WebhooksConfig {
  readonly sandbox: boolean;
  /** Host names, as a URL has them, that may be this machine or a private address. Empty outside the sandbox. */
  readonly localHosts: ReadonlySet<string>;
  readonly timeoutMs: number;
  /** Wall milliseconds after which a delivery whose process died is made again. */
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly endpointConcurrency: number;

  constructor(env: z.output<typeof schema>) {
    this.sandbox = isSandbox({ SANDBOX: env.SANDBOX });
    const named = env.SANDBOX_WEBHOOK_HOSTS.split(',').map((host) => host.trim().toLowerCase());
    const local = ['localhost', '127.0.0.1', '[::1]', ...named.filter(Boolean)];
    this.localHosts = new Set(this.sandbox ? local : []);
    this.timeoutMs = env.WEBHOOK_TIMEOUT_MS;
    this.leaseMs = env.WEBHOOK_TIMEOUT_MS + RECORDING_MS;
    this.concurrency = env.WEBHOOK_CONCURRENCY;
    this.endpointConcurrency = env.WEBHOOK_ENDPOINT_CONCURRENCY;
  }
}

export const webhooksConfig = configProvider(
  WebhooksConfig,
  schema.transform((env) => new WebhooksConfig(env)),
);
