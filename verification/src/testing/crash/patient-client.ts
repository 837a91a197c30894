import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiAnswer, ApiClient } from '../api-client.ts';

/** The pause between two tries of a request without an answer. */
const PAUSE_MS = 40;

/** Thrown to a client that still waits for the product when a test has ended. */
export class TestIsOver extends Error {}

/** How a client reaches the product at the moment. */
export interface Reachable {
  client(): Promise<ApiClient>;
}

/** A request that changes something and was answered with success. */
interface AcceptedRequest {
  /** Its Idempotency-Key. */
  readonly key: string;
  readonly status: number;
  /** Method and path. */
  readonly request: string;
}

/**
 * A client as IDEM-1 wants it: every request that changes something carries an Idempotency-Key. A request without an answer, or with a
 * temporary refusal, is sent again with the same key until it has its final answer.
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
    if (answer.status < 300) this.accepted.push({ key, status: answer.status, request: `${method} ${path}` });
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
