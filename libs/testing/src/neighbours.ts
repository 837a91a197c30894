import { payment, stringifyJson } from '@fundrail/contracts';
import type { BankAccountFacts, InvestmentAccountFacts, ServiceName, TenantFacts } from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { keySet } from './tokens.ts';

/** Fakes of the services around the one under test. Identity always publishes its keys. */
export abstract class FakeServices implements ServiceTransport {
  /** Whether they are silent. */
  silent = false;
  /** The settings of each tenant. */
  readonly settings = tenantOf('demo').settings;
  /** Calls that were not answered. */
  refusals = 0;
  /** Called once after the next answer about many objects is prepared and before it arrives. */
  meanwhile: (() => Promise<void>) | null = null;
  /** The ids that payments was asked to resolve, for each call. */
  readonly asked: number[][] = [];
  /** Ids of existing payments. All others become void when asked about. */
  readonly payments = new Set<number>();

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    if (request.path === '/.well-known/jwks.json') return answered(keySet());
    const [, name] = /^\/internal\/tenants\/([^/]+)\/settings$/.exec(request.path) ?? [];
    if (!this.silent) return name ? answered(this.tenant(name).settings) : this.answer(request, service);
    this.refusals += 1;
    throw new Error(`${service} does not answer`);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What identity knows of a tenant; the services here ask for its settings only. */
  protected tenant(name: string): TenantFacts {
    return tenantOf(name, this.settings);
  }

  protected abstract answer(
    request: TransportRequest,
    service: ServiceName,
  ): TransportAnswer | Promise<TransportAnswer>;

  /** What payments answers to a question about ids. */
  protected resolved({ body = '' }: TransportRequest): Promise<TransportAnswer> {
    const { payment_ids } = JSON.parse(body) as { payment_ids: number[] };
    this.asked.push(payment_ids);
    const kindOf = (id: number) => (this.payments.has(id) ? 'payment' : 'void');
    const results = payment_ids.map((payment_id) => ({ payment_id, kind: kindOf(payment_id) }));
    return this.late(answered({ results }));
  }

  /** That answer, after what happens meanwhile. */
  protected async late(answer: TransportAnswer): Promise<TransportAnswer> {
    const { meanwhile } = this;
    this.meanwhile = null;
    await meanwhile?.();
    return answer;
  }
}

/** What another service answers. */
export function answered(body: object, status = 200): TransportAnswer {
  return { status, body: stringifyJson(body) };
}

/** Its answer about an object that it does not have. */
export function noSuchObject(): TransportAnswer {
  const error = { status: 404, code: 'NOT_FOUND', message: 'no such object', errors: [], request_id: 'r' };
  return answered({ error }, 404);
}

/** A tenant as identity describes it to other services. */
export function tenantOf(name: string, changes: Partial<TenantFacts['settings']> = {}): TenantFacts {
  const settings: TenantFacts['settings'] = {
    ...{ sdk_options_enabled: false, upi_collect_enabled: true, payment_provider: 'GATEWAYPOA' },
    ...{ default_postback_url: null, operator_name: 'Operator', verify_endpoints: false },
    compatibility: null,
    policies: {
      ...{ upi_per_transaction_limit: { verified_merchant: true }, upi_daily_limit: { check: 'off' } },
      upi_collect: { exemption: 'mcc_6012' },
    },
    rate_limits: { reads_per_second: 100, writes_per_second: 100 },
    simulator: { hold_transfer: false, hold_review: false, hold_registrar: false },
    ...changes,
  };
  return { name, settings, postback_secret: 'secret' };
}

/** A bank account as identity describes it to other services. */
export function bankAccountOf(old_id: number, profile: string): BankAccountFacts {
  const bank = { type: 'savings', ifsc_code: 'HDFC0000001', bank_code: 'HDFC' } as const;
  const holder = { primary_account_holder_name: 'A Investor', account_number: '001122334455' };
  return { id: `bac_${String(old_id).padStart(32, '0')}`, old_id, profile, ...holder, ...bank };
}

/** An investment account as identity describes it to other services. */
export function investmentAccountOf(
  id: string,
  primary_investor: string,
  contacts: InvestmentAccountFacts['contacts'],
  payout_bank_account_id: number | null = 1,
): InvestmentAccountFacts {
  return { id, old_id: 1, primary_investor, contacts, payout_bank_account_id };
}

/** An object as events carry it: `given`, and null in every other field of its schema. */
export function objectOfEvent({ shape }: { readonly shape: object }, given: object): object {
  return { ...Object.fromEntries(Object.keys(shape).map((field) => [field, null])), ...given };
}

/** A payment of ₹5,000 as its events carry it. */
export function paymentOfEvent(changes: object): object {
  return objectOfEvent(payment, {
    ...{ object: 'payment', payment_type: 'NETBANKING', status: 'PENDING', amount: 5000 },
    debit_date: '2026-12-21',
    ...{ amc_order_ids: [1], created_at: '2026-12-21T10:00:00.000+05:30', from_bank_account_id: 1 },
    ...{ provider_name: 'GATEWAYPOA', late_auth: false, refunds: [], ...changes },
  });
}
