import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { summary, type Answer } from './buyer-app.ts';
import type { Transcript } from './transcript.ts';

/** Wall milliseconds that a webhook may take. The sandbox's outside systems answer within 50 ms each; a restart takes longer. */
const PATIENCE_MS = 60_000;
// As an address, because a name could mean ::1 to one side and 127.0.0.1 to the other.
const LOOPBACK = '127.0.0.1';

/** A webhook as it arrived, with its signature checked. */
interface Hook {
  readonly id: string;
  readonly type: string;
  readonly object: Answer;
}

/** The buyer app's own endpoint: checks each signature (Standard Webhooks), takes each id once, and lets the walk wait. */
export class WebhookEndpoint {
  private readonly hooks = new Map<string, Hook>();
  private readonly listeners = new Set<() => void>();
  private verifier: Webhook | null = null;
  private badSignatures = 0;

  private constructor(
    private readonly server: Server,
    private readonly host: string,
    private readonly transcript: Transcript,
  ) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  /**
   * Listens on a free port. `host` is the name by which the product reaches this machine: `localhost` when it runs here. With any other
   * host (containers) calls come from outside, so it listens on all interfaces.
   */
  static async open(host: string, transcript: Transcript): Promise<WebhookEndpoint> {
    const server = createServer();
    const isLocal = host === 'localhost';
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(0, isLocal ? LOOPBACK : '0.0.0.0', resolve);
    await promise;
    return new WebhookEndpoint(server, isLocal ? LOOPBACK : host, transcript);
  }

  get url(): string {
    return `http://${this.host}:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** The secret from the answer that created the webhook. */
  verifyWith(secret: string): void {
    this.verifier = new Webhook(secret);
  }

  /** Waits for an event of an object. Throws when it does not come, or when any signature so far was bad. */
  async waitFor(
    type: string,
    objectId: unknown,
    matches: (object: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const find = () =>
      this.hooks
        .values()
        .find((hook) => hook.type === type && hook.object['id'] === objectId && matches(hook.object));
    const end = AbortSignal.timeout(PATIENCE_MS);
    for (let found = find(); ; found = find()) {
      if (this.badSignatures > 0) throw new Error(`${this.badSignatures} webhooks with a bad signature`);
      if (found) return found.object;
      await this.somethingNew(end, `no webhook ${type} for ${String(objectId)} in ${PATIENCE_MS / 1000} s`);
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private somethingNew(end: AbortSignal, otherwise: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = () => reject(new Error(otherwise));
    this.listeners.add(resolve);
    end.addEventListener('abort', fail);
    return promise.finally(() => {
      this.listeners.delete(resolve);
      end.removeEventListener('abort', fail);
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += String(chunk);
    const isGood = this.keep(raw, request.headers);
    const challenge = isGood ? challengeIn(raw) : null;
    if (challenge !== null) response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge);
    else response.writeHead(isGood ? 204 : 400).end();
    for (const listener of this.listeners) listener();
  }

  private keep(raw: string, headers: IncomingMessage['headers']): boolean {
    try {
      this.verifier?.verify(raw, headers as Record<string, string>);
    } catch {
      this.badSignatures += 1;
      return false;
    }
    const body = JSON.parse(raw) as { id: string; type: string; data: { object: Answer } };
    if (!this.hooks.has(body.id)) this.transcript.webhook(body.type, summary(body.data.object));
    this.hooks.set(body.id, { id: body.id, type: body.type, object: body.data.object });
    return true;
  }
}

/** The challenge that a tenant with `verify_endpoints` sends to a new endpoint; null in every other webhook. */
function challengeIn(raw: string): string | null {
  const { type, data } = JSON.parse(raw) as { type: string; data: { challenge?: string } };
  return type === 'notification_webhook.challenge' ? (data.challenge ?? null) : null;
}
