import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '../api-client.ts';

/** Between two tries of a request that got no answer. */
const PAUSE_MS = 40;

/** What a client gets that still waits for the product when a test has ended. */
export class TestIsOver extends Error {}

/** Where a client finds the product at the moment. */
export interface Reachable {
  client(): Promise<ApiClient>;
}

/** How far the product's clock stood ahead of ours from a time on, both in milliseconds of the wall's. */
export interface ClockMove {
  readonly at: number;
  readonly aheadMs: number;
}

/** A request that changes something and was answered with success. */
export interface AcceptedRequest {
  /** Its Idempotency-Key. */
  readonly key: string;
  readonly status: number;
  /** Method and path. */
  readonly request: string;
  /** When it was answered, wall-clock milliseconds. */
  readonly at: number;
  /** How far the product's clock stood ahead of ours then, in milliseconds; known of a request that moved it. */
  readonly aheadMs: number | null;
}

/**
 * A client as contract §0.2 wants it: every request that changes something carries an Idempotency-Key, and one that got no
 * answer, or an answer that promises a better one, is sent again with the same key until it has got its own.
 */
export class PatientClient {
  readonly accepted: AcceptedRequest[] = [];

  constructor(private readonly product: Reachable) {}

  get(path: string): Promise<ApiAnswer> {
    return this.call('GET', path);
  }

  post(path: string, body: object): Promise<ApiAnswer> {
    return this.call('POST', path, body);
  }

  patch(path: string, body: object): Promise<ApiAnswer> {
    return this.call('PATCH', path, body);
  }

  private async call(method: string, path: string, body?: object): Promise<ApiAnswer> {
    if (!body) return this.answerTo(method, path);
    const key = randomUUID();
    const answer = await this.answerTo(method, path, body, { 'idempotency-key': key });
    if (answer.status < 300) {
      const at = Date.now();
      const aheadMs = path === '/sandbox/clock' ? new Date(String(answer.body['now'])).getTime() - at : null;
      this.accepted.push({ key, status: answer.status, request: `${method} ${path}`, at, aheadMs });
    }
    return answer;
  }

  private async answerTo(
    ...[method, path, body, headers]: Parameters<ApiClient['call']>
  ): Promise<ApiAnswer> {
    for (;;) {
      const client = await this.product.client();
      const answer = await client.call(method, path, body, headers).catch(() => null);
      if (answer && !isWorthAnotherTry(answer)) return answer;
      await pause(PAUSE_MS);
    }
  }
}

function isWorthAnotherTry({ status, body }: ApiAnswer): boolean {
  const { code } = (body['error'] ?? {}) as { readonly code?: string };
  return status >= 500 || status === 429 || code === 'IDEMPOTENCY_KEY_IN_USE';
}
