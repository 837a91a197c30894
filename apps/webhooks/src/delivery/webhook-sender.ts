import { Tracing, type SpanFacts } from '@fundrail/messaging';
import { DataCipher, SealedKeys } from '@fundrail/service-kit/crypto';
import { Clock } from '@fundrail/service-kit/db';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import { Agent, request, type Dispatcher } from 'undici';
import { WebhooksConfig } from '../config.ts';
import { secretBytes, webhookSignatures } from '../notification-webhook/webhook-secret.ts';
import { guardedConnector } from '../target/guarded-connector.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import type { AttemptAnswer } from './delivery.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { failureReason } from './failure-reason.ts';
import { parseRetryAfter } from './retry-table.ts';
import { within } from './within.ts';

/** One signed POST. `id` is the event's: the same for every attempt, so that a receiver knows a repeat. */
export interface SignedPost {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** All of them sign. */
  readonly secrets_encrypted: readonly string[];
  readonly traceparent: string | null;
  /** For how long it has been due. */
  readonly queued_ms: number;
}

type ReadablePost = SignedPost & { readonly keys: readonly KeyObject[] };

/** Contract §6: the first 4 kB of the answer are kept. */
const KEPT_BYTES = 4096;
/** How long a connection without work stays open, whatever its server says it may. */
const KEEP_ALIVE_MS = 10_000;
const MAY_PUT_OFF = new Set([429, 503]);

/** Sends webhooks: one time-out over all, no redirects, and only to addresses that are allowed when the socket connects. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly keys: SealedKeys;

  constructor(
    private readonly config: WebhooksConfig,
    private readonly target: WebhookTarget,
    private readonly clock: Clock,
    cipher: DataCipher,
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {
    this.keys = new SealedKeys(cipher, secretBytes);
    const timeout = config.timeoutMs;
    this.agent = new Agent({
      connect: guardedConnector(target.lookup, timeout),
      allowH2: false,
      // No endpoint waits for another's connection at the same origin: there are as many as deliveries at the same time.
      connections: config.inFlight,
      pipelining: 1,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  }

  /**
   * Never rejects for what the endpoint does; rejects when `stop` was given up, and when a secret cannot be decrypted, which is no
   * failure of the endpoint's.
   */
  async send(post: SignedPost, stop: AbortSignal): Promise<AttemptAnswer> {
    const keys = post.secrets_encrypted.map((secret) => this.keys.of(secret));
    this.metrics.began(post.queued_ms);
    const span = this.tracing.begin(post.traceparent, () => factsOf(post));
    const sent = { ...post, keys, ...(span && { traceparent: span.traceparent }) };
    const answer = await this.attempt(sent, stop).catch((error: unknown) => {
      span?.end('stopped');
      throw error;
    });
    const outcome = this.metrics.ended(answer);
    if (answer.status !== null) span?.set({ 'http.response.status_code': answer.status });
    span?.end(outcome === 'delivered' ? null : outcome);
    return answer;
  }

  private async attempt(post: ReadablePost, stop: AbortSignal): Promise<AttemptAnswer> {
    const began = performance.now();
    const timestamp = Math.floor(this.clock.now().getTime() / 1000);
    const answered = (answer: Partial<AttemptAnswer>): AttemptAnswer => ({
      webhook_timestamp: timestamp,
      status: null,
      error: null,
      response_body: null,
      retry_after_ms: null,
      ...answer,
      duration_ms: Math.round(performance.now() - began),
    });
    const fault = this.target.fault(post.url);
    if (fault !== null) return answered({ webhook_timestamp: null, error: `the URL ${fault}` });
    try {
      return answered(await this.exchange(post, timestamp, stop));
    } catch (error) {
      if (stop.aborted) throw error;
      return answered({ error: failureReason(error, this.config.timeoutMs) });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(
    post: ReadablePost,
    timestamp: number,
    stop: AbortSignal,
  ): Promise<Partial<AttemptAnswer>> {
    return within(this.config.timeoutMs, stop, async (signal) => {
      const { statusCode, headers, body } = await request(post.url, {
        method: 'POST',
        dispatcher: this.agent,
        signal,
        headers: headersOf(post, timestamp),
        body: post.body,
      });
      const retryAfter = MAY_PUT_OFF.has(statusCode) ? headerText(headers['retry-after']) : null;
      return {
        status: statusCode,
        response_body: await firstBytes(body),
        retry_after_ms: parseRetryAfter(retryAfter, this.clock.now()),
      };
    });
  }
}

/** Standard Webhooks 1.0; the time is the wall clock's (contract §10 "Which clock"). */
function headersOf({ id, body, keys, traceparent }: ReadablePost, timestamp: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'fundrail-webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignatures(keys, { id, timestamp, body }),
    ...(traceparent !== null && { traceparent }),
  };
}

/** Where it goes is the tenant's business, and in no trace; the event's id leads there. */
function factsOf({ id }: SignedPost): SpanFacts {
  const attributes = { 'http.request.method': 'POST', 'fundrail.event.id': id };
  return { name: 'POST webhook', kind: 'client', attributes };
}

function headerText(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/**
 * The beginning of the answer as text; the rest is not read. The status has been given by then, so a body that breaks off or
 * never ends takes nothing from it. PostgreSQL's text has no NUL.
 */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // Kept as far as it came.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
}
