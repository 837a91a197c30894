import { SERVICES } from '@fundrail/contracts';
import type { ServiceName, TenantFacts } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { generateKeyPairSync, sign } from 'node:crypto';

const answer = (body: object, status = 200): TransportAnswer => ({ status, body: JSON.stringify(body) });
const notFound = () =>
  answer({ error: { status: 404, code: 'NOT_FOUND', message: 'no', errors: [], request_id: 'r' } }, 404);

/** A neighbour as the sandbox's clock sees it: what it still has to do, at which business times. */
export interface PlayedService {
  offsetMs: number;
  due: Date[];
  /** Reports a call that never ends. */
  stuck: boolean;
  /** How many of the next questions and moves it does not answer. */
  unanswered: number;
}

/** Stands for the other services: identity's keys and tenants, payments' ids, and everybody's clock. */
export class Neighbours implements ServiceTransport {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly holds = { hold_transfer: false, hold_review: false, hold_registrar: false };
  /** Payments that exist without being issued, and whose they are. */
  readonly payments = new Map<number, string>();
  /** Mandates that exist without being registered anywhere, and whose they are. */
  readonly mandates = new Map<number, string>();
  readonly services = new Map<ServiceName, PlayedService>();
  /** What was worked during jumps, in order. */
  readonly worked: { readonly service: ServiceName; readonly at: Date }[] = [];
  /** The simulator's own door, once it is there. */
  own: ((request: TransportRequest) => Promise<TransportAnswer>) | null = null;

  constructor() {
    for (const name of SERVICES.filter((one) => one !== 'simulator'))
      this.services.set(name, { offsetMs: 0, due: [], stuck: false, unanswered: 0 });
  }

  /** An access token of that tenant. */
  token(tenant: string): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(Date.now() / 1000) + 600;
    const text = `${part({ alg: 'ES256', kid: 'one' })}.${part({ sub: tenant, tenant, scope: '', exp })}`;
    const signature = sign('sha256', Buffer.from(text), {
      key: this.#keys.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `Bearer ${text}.${signature.toString('base64url')}`;
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const [path = ''] = request.path.split('?');
    if (service === 'simulator') return this.own ? this.own(request) : notFound();
    if (path.startsWith('/internal/sandbox/')) this.answerOrNot(service);
    if (path === '/internal/sandbox/quiet') return this.quiet(service, request.path);
    if (path === '/internal/sandbox/clock') return this.move(service, request.body ?? '{}');
    if (path === '/.well-known/jwks.json') return this.jwks();
    if (path.startsWith('/internal/tenants/')) return answer(this.tenant(path.split('/')[3] ?? ''));
    if (path.startsWith('/internal/mandates/')) return this.mandate(request.path);
    if (path.startsWith('/internal/payments/')) return this.payment(Number(path.split('/')[3]));
    return notFound();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private jwks(): TransportAnswer {
    return answer({
      keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256' }],
    });
  }

  private tenant(name: string): TenantFacts {
    const settings = {
      sdk_options_enabled: false,
      upi_collect_enabled: true,
      payment_provider: 'GATEWAYPOA' as const,
      default_postback_url: null,
      operator_name: 'Demo Fund Services',
      rate_limits: { reads_per_second: 100, writes_per_second: 100 },
      simulator: { ...this.holds },
    };
    return { name, settings, postback_secret: 'x' };
  }

  private payment(id: number): TransportAnswer {
    const tenant = this.payments.get(id);
    return tenant ? answer({ id, tenant, status: 'PENDING' }) : notFound();
  }

  private mandate(path: string): TransportAnswer {
    const { pathname, searchParams } = new URL(path, 'http://mandates');
    const id = Number(pathname.split('/')[3]);
    const tenant = this.mandates.get(id);
    if (!tenant || tenant !== searchParams.get('tenant')) return notFound();
    const opaque = '0'.repeat(32);
    return answer({
      ...{ id, tenant, mandate_ref: `man_${opaque}`, mandate_type: 'UPI', mandate_status: 'CREATED' },
      ...{ mandate_limit: 5000, valid_from: '2026-12-21', valid_to: '2056-12-20', bank_account_id: 1 },
      ...{ investor_profile: `invp_${opaque}`, provider_name: 'GATEWAYPOA' },
      ...{ mandate_token: null, umrn: null, provider_id: null },
    });
  }

  private played(name: ServiceName): PlayedService {
    const service = this.services.get(name);
    if (!service) throw new Error(`no neighbour ${name}`);
    return service;
  }

  private answerOrNot(name: ServiceName): void {
    const service = this.played(name);
    if (service.unanswered === 0) return;
    service.unanswered -= 1;
    throw new Error(`${name} is silent`);
  }

  private quiet(name: ServiceName, path: string): TransportAnswer {
    const { due, stuck } = this.played(name);
    const before = new Date(new URL(path, 'http://x').searchParams.get('before') ?? 0);
    const earliest = due
      .filter((at) => at <= before)
      .sort((one, other) => one.getTime() - other.getTime())[0];
    const counts = {
      unpublished: 0,
      unconsumed: 0,
      last_written: null,
      last_consumed: null,
      due: 0,
      background: 0,
    };
    return answer({ ...counts, in_flight: stuck ? 1 : 0, earliest_due_at: earliest?.toISOString() ?? null });
  }

  private move(name: ServiceName, body: string): TransportAnswer {
    const service = this.played(name);
    service.offsetMs = (JSON.parse(body) as { offset_ms: number }).offset_ms;
    const now = Date.now() + service.offsetMs;
    for (const at of service.due.filter((due) => due.getTime() <= now))
      this.worked.push({ service: name, at });
    service.due = service.due.filter((due) => due.getTime() > now);
    return answer({ offset_ms: service.offsetMs, now: new Date(now).toISOString() });
  }
}
