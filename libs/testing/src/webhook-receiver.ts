import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { LocalServer } from './local-server.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

/** One POST that was received. */
interface ReceivedWebhook {
  readonly webhook_id: string;
  /** Null until the receiver knows the secret. */
  readonly verified: boolean | null;
  readonly headers: IncomingMessage['headers'];
  /** The bytes that were signed. */
  readonly raw: string;
  readonly body: {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly object: Record<string, unknown> };
  };
}

/** A client's webhook endpoint: a local server that verifies (Standard Webhooks), keeps and answers each request. */
export class WebhookReceiver extends LocalServer {
  readonly received: ReceivedWebhook[] = [];
  /** The status with which it answers from now on. */
  answers = 200;
  /** The secret from the answer that created the webhook. */
  secret: string | null = null;

  override get url(): string {
    return `${super.url}/hooks`;
  }

  /** Waits until it has received a webhook for which `matches` holds. */
  next(matches: (webhook: ReceivedWebhook) => boolean, options?: WaitOptions): Promise<ReceivedWebhook> {
    return waitFor(() => this.received.find(matches), { what: 'a webhook', ...options });
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    this.received.push({
      webhook_id: String(request.headers['webhook-id']),
      verified: this.secret === null ? null : verifies(this.secret, raw, request.headers),
      headers: request.headers,
      raw,
      body: JSON.parse(raw) as ReceivedWebhook['body'],
    });
    response.writeHead(this.answers).end();
  }
}

function verifies(secret: string, raw: string, headers: IncomingMessage['headers']): boolean {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
