import { SERVICES, simulatedAuthorisation, type ServiceName } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, keySet, noSuchObject, tenantOf, tenantToken } from '@fundrail/testing';

/** Another service as the sandbox clock sees it: its remaining work, by business time. */
interface SimulatedService {
  offsetMs: number;
  due: Date[];
  /** When work that stays undone is retried next; an hour later again. */
  hourly: Date | null;
  /** Whether that work is a question that was answered. */
  isAnswered: boolean;
  /** Reports a call that never ends. */
  stuck: boolean;
  /** How many of the next status requests and moves get no response. */
  unanswered: number;
}

/** Simulates the other services: identity's keys and tenants, payments' ids, and the clock of each. */
export class Neighbours implements ServiceTransport {
  readonly holds = { hold_transfer: false, hold_review: false, hold_registrar: false };
  /** Payments that exist but are not issued, with their tenants. */
  readonly payments = new Map<number, string>();
  /** Mandates that exist but are not registered with a provider, with their tenants. */
  readonly mandates = new Map<number, string>();
  /** Of those that are not `CREATED`. */
  readonly statuses = new Map<number, string>();
  /** What payments does when the authorisation of such a mandate is simulated. */
  authorise: (mandate: number) => Promise<unknown> = () => Promise.reject(new Error('not expected'));
  readonly services = new Map<ServiceName, SimulatedService>();
  /** The work done during jumps, in order. */
  readonly worked: { readonly service: ServiceName; readonly at: Date }[] = [];
  /** The simulator's own HTTP interface, once it is started. */
  own: ((request: TransportRequest) => Promise<TransportAnswer>) | null = null;

  constructor() {
    for (const name of SERVICES.filter((one) => one !== 'simulator'))
      this.services.set(name, {
        offsetMs: 0,
        due: [],
        hourly: null,
        isAnswered: false,
        stuck: false,
        unanswered: 0,
      });
  }

  /** An access token of that tenant. */
  token(tenant: string): string {
    return tenantToken(tenant, '', new Date());
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const [path = ''] = request.path.split('?');
    if (service === 'simulator') return this.own ? this.own(request) : noSuchObject();
    if (path.startsWith('/internal/sandbox/')) this.answerOrNot(service);
    if (path === '/internal/sandbox/quiet') return this.quiet(service, request.path);
    if (path === '/internal/sandbox/clock') return this.move(service, request.body ?? '{}');
    if (path === '/.well-known/jwks.json') return answered(keySet());
    if (path.startsWith('/internal/tenants/'))
      return answered(
        tenantOf(path.split('/')[3] ?? '', {
          operator_name: 'Demo Fund Services',
          simulator: { ...this.holds },
        }),
      );
    if (path === '/internal/authorisations') return this.authorisation(request.body ?? '');
    if (path.startsWith('/internal/mandates/')) return this.mandate(request.path);
    if (path.startsWith('/internal/payments/')) return this.payment(Number(path.split('/')[3]));
    return noSuchObject();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private payment(id: number): TransportAnswer {
    const tenant = this.payments.get(id);
    return tenant ? answered({ id, tenant, status: 'PENDING' }) : noSuchObject();
  }

  private async authorisation(body: string): Promise<TransportAnswer> {
    const { mandate_id } = simulatedAuthorisation.parse(JSON.parse(body)).authorisation;
    await this.authorise(mandate_id);
    return answered({ id: 9001 });
  }

  private mandate(path: string): TransportAnswer {
    const { pathname, searchParams } = new URL(path, 'http://mandates');
    const id = Number(pathname.split('/')[3]);
    const tenant = this.mandates.get(id);
    if (!tenant || tenant !== searchParams.get('tenant')) return noSuchObject();
    const opaque = '0'.repeat(32);
    return answered({
      ...{
        id,
        tenant,
        mandate_ref: `man_${opaque}`,
        mandate_type: 'UPI',
        mandate_status: this.statuses.get(id) ?? 'CREATED',
      },
      ...{ mandate_limit: 5000, valid_from: '2026-12-21', valid_to: '2056-12-20', bank_account_id: 1 },
      ...{ investor_profile: `invp_${opaque}`, provider_name: 'GATEWAYPOA' },
      ...{ mandate_token: null, umrn: null, provider_id: null },
    });
  }

  private serviceOf(name: ServiceName): SimulatedService {
    const service = this.services.get(name);
    if (!service) throw new Error(`unknown service ${name}`);
    return service;
  }

  private answerOrNot(name: ServiceName): void {
    const service = this.serviceOf(name);
    if (service.unanswered === 0) return;
    service.unanswered -= 1;
    throw new Error(`${name} does not respond`);
  }

  private quiet(name: ServiceName, path: string): TransportAnswer {
    const { due, hourly, isAnswered, stuck } = this.serviceOf(name);
    const before = new Date(new URL(path, 'http://x').searchParams.get('before') ?? 0);
    const byTime = (times: readonly Date[]) =>
      times.filter((at) => at <= before).sort((one, other) => one.getTime() - other.getTime());
    const [planned, all] = [byTime(due), byTime(hourly ? [...due, hourly] : due)];
    const counts = {
      unpublished: 0,
      unconsumed: 0,
      last_written: null,
      last_consumed: null,
      due: 0,
      background: 0,
    };
    return answered({
      ...counts,
      in_flight: stuck ? 1 : 0,
      earliest_due_at: all[0]?.toISOString() ?? null,
      earliest_unanswered_at: (isAnswered ? planned : all)[0]?.toISOString() ?? null,
      earliest_planned_at: planned[0]?.toISOString() ?? null,
    });
  }

  private move(name: ServiceName, body: string): TransportAnswer {
    const service = this.serviceOf(name);
    service.offsetMs = (JSON.parse(body) as { offset_ms: number }).offset_ms;
    const now = Date.now() + service.offsetMs;
    for (const at of service.due.filter((due) => due.getTime() <= now))
      this.worked.push({ service: name, at });
    service.due = service.due.filter((due) => due.getTime() > now);
    if (service.hourly && service.hourly.getTime() <= now) {
      this.worked.push({ service: name, at: new Date(now) });
      service.hourly = new Date(now + 3_600_000);
    }
    return answered({ offset_ms: service.offsetMs, now: new Date(now).toISOString() });
  }
}
