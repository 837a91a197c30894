import { newId, stringifyJson, type EventEnvelope } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { Log, type RunningService } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import { inject, ServiceProcesses, waitFor } from '@fundrail/testing';
import { webhooksService } from '../index.ts';
import { TestIssuer } from './test-issuer.ts';

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly body?: object;
  readonly tenant?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A delivery as in `GET /:id/deliveries`, with the fields that tests use. */
export interface ShownDelivery {
  readonly id: string;
  readonly event: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: readonly { status: number | null; error: string | null; response_body: string | null }[];
  readonly next_attempt_at: string | null;
}

/** Webhooks on its own database, with a bus on which the test publishes. */
export class WebhooksStage {
  readonly bus = new InProcessBus({ groups: ['webhooks'] });
  readonly issuer = new TestIssuer();
  /** All logged lines. */
  readonly lines: string[] = [];
  service!: RunningService;

  private constructor(
    private readonly processes: ServiceProcesses,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<WebhooksStage> {
    const stage = new WebhooksStage(await ServiceProcesses.on(webhooksService), env);
    stage.service = await stage.process(stage.bus);
    return stage;
  }

  get databaseUrl(): string {
    return this.processes.database.url;
  }

  /** Another process on the same database that does not consume events. */
  replica(): Promise<RunningService> {
    return this.process(null);
  }

  async send({ url, body, tenant = 'demo', headers = {}, ...sent }: Sent): Promise<Answered> {
    const method = sent.method ?? (body === undefined ? 'GET' : 'POST');
    const authorization = `Bearer ${this.issuer.token(tenant)}`;
    const around = { method, url, body, headers: { authorization, ...headers } };
    const { status, text, json } = await inject(this.service, around);
    return { status, text, body: json() };
  }

  /** A new endpoint. Throws when it is refused. */
  async endpoint(
    url: string,
    events: readonly string[] = ['*'],
    tenant = 'demo',
  ): Promise<{ id: string; secret: string }> {
    const { status, body, text } = await this.send({
      url: '/v2/notification_webhooks',
      body: { url, events },
      tenant,
    });
    if (status !== 200) throw new Error(`no endpoint: ${text}`);
    return { id: String(body['id']), secret: String(body['secret']) };
  }

  /** Deletes the endpoints of a tenant, so that they receive no more events. */
  async removeEndpoints(tenant = 'demo'): Promise<void> {
    const url = '/v2/notification_webhooks';
    const { body } = await this.send({ url, tenant });
    for (const { id } of body['data'] as { id: string }[])
      await this.send({ method: 'DELETE', url: `${url}/${id}`, tenant });
  }

  /** Publishes an event as another service would, and resolves once it is stored here. */
  async publish(over: Partial<EventEnvelope> = {}): Promise<EventEnvelope> {
    const event = testEvent(over);
    const outcomes = await Promise.all(this.bus.publish([event]));
    if (!outcomes.every(({ published }) => published)) throw new Error('the event was not published');
    return event;
  }

  async deliveries(endpoint: { id: string }, query = '', tenant = 'demo'): Promise<ShownDelivery[]> {
    const url = `/v2/notification_webhooks/${endpoint.id}/deliveries${query}`;
    return (await this.send({ url, tenant })).body['data'] as ShownDelivery[];
  }

  /** Waits until a delivery matches. */
  delivery(endpoint: { id: string }, matches: (delivery: ShownDelivery) => boolean): Promise<ShownDelivery> {
    return waitFor(async () => (await this.deliveries(endpoint)).find(matches), { what: 'a delivery' });
  }

  /** Moves this service's business clock, like the sandbox. */
  async advance(ms: number): Promise<void> {
    await this.service.database.query(moveClock, [ms]);
  }

  end(): Promise<void> {
    return this.processes.end();
  }

  private process(bus: InProcessBus | null): Promise<RunningService> {
    const log = Log.to('webhooks', 'debug', { write: (line) => void this.lines.push(line) });
    const env = { DUE_POLL_MS: '20', ...this.variables };
    return this.processes.start({ bus, transport: this.issuer, log, env });
  }
}

const moveClock = sql('test.move_clock', 'UPDATE business_clock SET offset_ms = offset_ms + $1');

const notice = {
  object: 'notification_webhook',
  id: 'nwh_1',
  url: 'https://shop.example/',
  status: 'enabled',
};

/** A public event with the smallest object of the catalogue. */
export function testEvent(over: Partial<EventEnvelope> = {}): EventEnvelope {
  return {
    id: newId('event'),
    type: 'notification_webhook.disabled',
    version: 1,
    occurred_at: '2026-11-21T10:00:00.000+05:30',
    tenant: 'demo',
    aggregate_id: newId('notificationWebhook'),
    sequence: 1,
    data: stringifyJson({ object: notice, previous_attributes: null }),
    traceparent: null,
    ...over,
  };
}
