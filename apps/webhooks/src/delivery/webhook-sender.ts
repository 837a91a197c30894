import type { Compatibility } from '@fundrail/contracts';
import { Tracing, type SpanFacts } from '@fundrail/messaging';
import { DataCipher, SealedKeys, type Sealed } from '@fundrail/service-kit/crypto';
import { Clock } from '@fundrail/service-kit/db';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import { Agent, request, type Dispatcher } from 'undici';
import { WebhooksConfig } from '../config.ts';
import {
  secretBytes,
  secretText,
  upstreamSignature,
  webhookSignatures,
} from '../notification-webhook/webhook-secret.ts';
import { guardedConnector } from '../target/guarded-connector.ts';
import { WebhookTarget } from '../target/webhook-target.ts';
import type { AttemptAnswer } from './delivery.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { failureReason } from './failure-reason.ts';
import { parseRetryAfter } from './retry-table.ts';
import { within } from './within.ts';

/** One signed POST. `id` is the event's: the same for every attempt, so that a receiver can detect a repeat. */
export interface SignedPost {
  readonly url: string;
  readonly id: string;
  readonly body: string;
  /** Every secret signs, newest first. */
  readonly secrets_encrypted: readonly Sealed[];
  /** In whose names the body is. That of a client of the upstream is signed as there too (COMP-10). */
  readonly compatibility: Compatibility | null;
  readonly traceparent: string | null;
  /** How long the delivery has been due. */
  readonly queued_ms: number;
}

type ReadablePost = SignedPost & { readonly keys: readonly KeyObject[]; readonly upstream: string | null };

/** HOOK-19: the first 4 kB of the response are stored. */
const KEPT_BYTES = 4096;
/** How long an idle connection stays open, even if its server allows longer. */
const KEEP_ALIVE_MS = 10_000;
const MAY_PUT_OFF = new Set([429, 503]);

/** Sends webhooks: one time-out over all, no redirects, and only to addresses that are allowed when the socket connects. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly keys: SealedKeys;
  private readonly texts: SealedKeys;

  constructor(
    private readonly config: WebhooksConfig,
    private readonly target: WebhookTarget,
    private readonly clock: Clock,
    cipher: DataCipher,
    private readonly metrics: DeliveryMetrics,
    private readonly tracing: Tracing,
  ) {
    this.keys = new SealedKeys(cipher, secretBytes);
    this.texts = new SealedKeys(cipher, secretText);
    const timeout = config.timeoutMs;
    this.agent = new Agent({
      connect: guardedConnector(target.lookup, timeout),
      allowH2: false,
      // One connection for each concurrent delivery, so that an endpoint does not wait for another's connection at the same origin.
      connections: config.inFlight,
      pipelining: 1,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    });
  }

  /**
   * Never rejects because of the endpoint. Rejects when `stop` aborts, and when a secret cannot be decrypted, which is not the endpoint's
   * failure.
   */
  async send(post: SignedPost, stop: AbortSignal): Promise<AttemptAnswer> {
    const keys = post.secrets_encrypted.map((secret) => this.keys.of(secret));
    this.metrics.began(post.queued_ms);
    const span = this.tracing.begin(post.traceparent, () => factsOf(post));
    const upstream = this.upstreamSignature(post);
    const sent = { ...post, keys, upstream, ...(span && { traceparent: span.traceparent }) };
    const answer = await this.attempt(sent, stop).catch((error: unknown) => {
      span?.end('stopped');
      throw error;
    });
    const outcome = this.metrics.ended(answer);
    if (answer.status !== null) span?.set({ 'http.response.status_code': answer.status });
    span?.end(outcome === 'delivered' ? null : outcome);
    return answer;
  }

  /** Its header has room for one signature: that of the newest secret. */
  private upstreamSignature({ compatibility, secrets_encrypted, body }: SignedPost): string | null {
    const [newest] = secrets_encrypted;
    return compatibility === null || !newest ? null : upstreamSignature(this.texts.of(newest), body);
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

/** Standard Webhooks 1.0; the time is the wall clock's (HOOK-11). */
function headersOf(
  { id, body, keys, upstream, traceparent }: ReadablePost,
  timestamp: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'fundrail-webhooks/1.0',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignatures(keys, { id, timestamp, body }),
    ...(upstream !== null && { 'fp-signature': upstream }),
    ...(traceparent !== null && { traceparent }),
  };
}

/** The URL is the tenant's data and is not in the trace. The event's id leads to it. */
function factsOf({ id }: SignedPost): SpanFacts {
  const attributes = { 'http.request.method': 'POST', 'fundrail.event.id': id };
  return { name: 'POST webhook', kind: 'client', attributes };
}

function headerText(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/**
 * Returns the beginning of the response body as text and does not read the rest. The status is already known, so a body that breaks off
 * or never ends does not change the result. NUL bytes are removed, because PostgreSQL's text cannot store them.
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
    // Keeps what was received so far.
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '');
}
