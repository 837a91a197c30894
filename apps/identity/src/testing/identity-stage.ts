import { Log, type RunningService, type Runtime } from '@fundrail/service-kit';
import { inject, ServiceProcesses, waitFor } from '@fundrail/testing';
import { identityService } from '../index.ts';
import { listSigningKeys } from '../signing-key/signing-key.repository.ts';

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** A text is sent as it is, `URLSearchParams` as a form, and an object as JSON. */
  readonly body?: object | string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The parsed body, for tests that check it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Identity on its own database, called without a socket. */
export class IdentityStage {
  private constructor(
    private readonly processes: ServiceProcesses,
    private readonly runtime: Partial<Runtime>,
    readonly service: RunningService,
    /** All its log lines. */
    readonly lines: string[],
  ) {}

  static async start(over: Partial<Runtime> = {}): Promise<IdentityStage> {
    const processes = await ServiceProcesses.on(identityService);
    const lines: string[] = [];
    const log = Log.to('identity', 'debug', { write: (line) => void lines.push(line) });
    const runtime = { log, ...over };
    try {
      return new IdentityStage(processes, runtime, await processes.start(runtime), lines);
    } catch (error) {
      await processes.end();
      throw error;
    }
  }

  /** Another process on the same database. */
  replica(over: Partial<Runtime> = {}): Promise<RunningService> {
    return this.processes.start({ ...this.runtime, ...over });
  }

  async send(request: Sent, service: RunningService = this.service): Promise<Answered> {
    const { url, body, token, headers = {} } = request;
    const method = request.method ?? (body === undefined ? 'GET' : 'POST');
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const sent = typeof body === 'string' ? { raw: body } : { body };
    const answer = await inject(service, { method, url, ...sent, headers: { ...authorization, ...headers } });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const parsed = isJson ? answer.json<Answered['body']>() : {};
    return { status: answer.status, headers: answer.headers, text: answer.text, body: parsed };
  }

  askToken(
    tenant: string,
    form: Readonly<Record<string, string>>,
    service = this.service,
  ): Promise<Answered> {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form });
    return this.send({ url: `/v2/auth/${tenant}/token`, body }, service);
  }

  /** The access token of a client. Throws when it is refused. */
  async token(tenant = 'demo', id = 'demo', secret = 'demo-secret'): Promise<string> {
    const { status, body } = await this.askToken(tenant, { client_id: id, client_secret: secret });
    if (status !== 200) throw new Error(`no token for ${id}: ${status} ${JSON.stringify(body)}`);
    return String(body['access_token']);
  }

  adminToken(): Promise<string> {
    return this.token('demo', 'admin', 'admin-secret');
  }

  /** A new tenant with one client, and that client's token. */
  async otherTenant(name: string): Promise<string> {
    const token = await this.adminToken();
    await this.send({ url: '/admin/tenants', body: { name }, token });
    const { body } = await this.send({ url: `/admin/tenants/${name}/clients`, body: {}, token });
    return this.token(name, String(body['client_id']), String(body['client_secret']));
  }

  /** Waits until the rotation of signing keys has left that many. */
  async rotated(count: number): Promise<void> {
    await waitFor(async () => (await listSigningKeys(this.service.database)).length === count, {
      what: `${count} signing keys`,
    });
  }

  end(): Promise<void> {
    return this.processes.end();
  }
}
