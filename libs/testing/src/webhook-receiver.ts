import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
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
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** The status with which it answers from now on. */
  answers = 200;
  /** The secret from the answer that created the webhook. */
  secret: string | null = null;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebhookReceiver(server);
  }

  get url(): string {
    const address = this.server.address();
    if (!address || typeof address === 'string') throw new Error('the receiver is stopped');
    return `http://127.0.0.1:${address.port}/hooks`;
  }

  /** Waits until it has received a webhook for which `matches` holds. */
  next(matches: (webhook: ReceivedWebhook) => boolean, options?: WaitOptions): Promise<ReceivedWebhook> {
    return waitFor(() => this.received.find(matches), { what: 'a webhook', ...options });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += String(chunk);
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
