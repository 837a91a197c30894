import {
  beginAudit,
  claimsRequest,
  endAudit,
  giveUpRequest,
  giveBackRequest,
  parseJson,
  releaseRequest,
} from '@fundrail/contracts';
import type {
  Claim,
  ClaimResult,
  GiveUp,
  GiveUpResult,
  GiveBackAnswer,
  InvestmentAccountFacts,
  ProviderName,
  SchemeCategory,
  ServiceName,
  TenantLogo,
} from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import {
  answered,
  bankAccountOf,
  investmentAccountOf,
  keySet,
  noSuchObject,
  tenantOf,
  tenantToken,
} from '@fundrail/testing';
import { setImmediate as turn } from 'node:timers/promises';
import type { OrderState } from '../payment/orders-of-payment.ts';
import { FakeMandates } from './fake-mandates.ts';
import { rupees } from './payments.builder.ts';

export const INVESTOR = `invp_${'a'.repeat(32)}`;
const CONTACTS = { email: 'investor@example.com', isd_code: '91', mobile: '9876543210' };
export const ACCOUNT = `mfia_${'b'.repeat(32)}`;

/** An order as the fake stores it; `claimed_by` is the claim. */
export interface FakeOrder {
  readonly old_id: number;
  readonly id: string;
  tenant: string;
  state: OrderState;
  amount: string;
  sequence: number;
  claimed_by: number | null;
  /** Absent in the answers of an older release of orders. */
  scheme?: string | undefined;
  scheme_category?: SchemeCategory | undefined;
  /** The payment that has given it up; the order cannot be confirmed after that. */
  given_up_by?: number;
}

/** Fakes of identity and orders. The claim is a simple version of the real one: all or nothing, and it respects `replaces`. */
export class FakeNeighbours implements ServiceTransport {
  readonly tokens = {
    /** The clock for the times in tokens; a stage sets its own. */
    now: (): Date => new Date(),
    header: (tenant = 'demo', scope = 'api'): string =>
      tenantToken(tenant, scope, this.tokens.now(), { iss: 'https://pay.example.com' }),
  };
  readonly orders = new Map<number, FakeOrder>();
  readonly mandates = new FakeMandates(INVESTOR);
  /** Every requested claim, in order. */
  readonly claims: Claim[] = [];
  /** The number of calls with these claims. */
  claimCalls = 0;
  readonly released: number[] = [];
  /** Every requested give-up, in order. */
  readonly giveUps: GiveUp[] = [];
  /** The number of calls with these give-ups. */
  giveUpCalls = 0;
  /** The released ids for which no payment was created. */
  readonly neverMade: number[] = [];
  /** The paths of admin calls, each followed by its status. */
  readonly audit: string[] = [];
  settings = {
    ...{ payment_provider: 'GATEWAYPOA' as ProviderName, default_postback_url: null as string | null },
    ...{ sdk_options_enabled: false, upi_collect_enabled: true, operator_name: 'Operator' },
    ...{ verify_endpoints: false, display_name: null as string | null, logo: null as TenantLogo | null },
  };
  /** The content of the tenant's logo, and how often it was fetched. */
  logo = Buffer.alloc(0);
  logoCalls = 0;
  /** The orders that were requested back, and the answer to that. */
  readonly givenBack: number[] = [];
  onGiveBack: () => Promise<GiveBackAnswer> = () => Promise.resolve({ outcome: 'free' });
  payoutBankAccount: number | null = 7;
  /** Services that give no answer. */
  readonly silent = new Set<ServiceName>();
  /** While this is set, orders refuses releases and answers everything else. */
  refusesReleases = false;
  /** Claims are stored, but their answers are lost. */
  losesClaimAnswers = false;
  /** Answers in place of the fake mandates, when the real service runs beside. */
  realMandates: ((request: TransportRequest) => Promise<TransportAnswer>) | null = null;
  private nextOrder = 1001;

  /** An installment of a plan that collects by mandate. */
  anInstallment(): FakeOrder {
    return this.anOrder({ state: 'confirmed' }, 'mfrd');
  }

  /** The contact data of the investor, by profile and by folio. */
  contacts: InvestmentAccountFacts['contacts'] = CONTACTS;

  anOrder(
    changes: Partial<
      Pick<FakeOrder, 'state' | 'amount' | 'tenant' | 'claimed_by' | 'scheme' | 'scheme_category'>
    > = {},
    prefix: 'mfp' | 'mfrd' = 'mfp',
  ): FakeOrder {
    const old_id = this.nextOrder++;
    const id = `${prefix}_${String(old_id).padStart(32, '0')}`;
    const order: FakeOrder = {
      old_id,
      id,
      tenant: 'demo',
      state: 'pending',
      amount: '5000',
      sequence: 3,
      claimed_by: null,
      scheme: 'INF209K01VD7',
      ...changes,
    };
    this.orders.set(old_id, order);
    return order;
  }

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const { path, body } = request;
    // A real call takes at least one turn of the event loop.
    await turn();
    if (this.silent.has(service)) throw new Error('connect ECONNREFUSED');
    const url = new URL(path, 'http://neighbour');
    if (service === 'mandates')
      return this.realMandates ? this.realMandates(request) : this.mandates.answer(url, body ?? '');
    if (path === '/internal/collections/give-back') {
      this.givenBack.push(...giveBackRequest.parse(parseJson(body ?? '')).amc_order_ids);
      return answered(await this.onGiveBack());
    }
    const answer =
      service === 'orders' ? this.ordersAnswer(url, body ?? '') : this.identityAnswer(url, body ?? '');
    if (this.losesClaimAnswers && path === '/internal/claims') throw new Error('socket hang up');
    return answer;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private ordersAnswer(url: URL, body: string): TransportAnswer {
    if (url.pathname === '/internal/claims') {
      this.claimCalls += 1;
      const { claims } = claimsRequest.parse(parseJson(body));
      return answered({ results: claims.map((claim) => this.claim(claim)) });
    }
    if (url.pathname === '/internal/claims/give-up') {
      this.giveUpCalls += 1;
      const { give_ups } = giveUpRequest.parse(parseJson(body));
      return answered({ results: give_ups.map((request) => this.giveUp(request)) });
    }
    if (this.refusesReleases) throw new Error('connect ECONNREFUSED');
    const { payment_id, amc_order_ids, never_made } = releaseRequest.parse(parseJson(body));
    this.released.push(payment_id);
    if (never_made) this.neverMade.push(payment_id);
    const held = [...this.orders.values()].filter(
      ({ old_id, claimed_by }) =>
        claimed_by === payment_id && (!amc_order_ids || amc_order_ids.includes(old_id)),
    );
    for (const order of held) order.claimed_by = null;
    return answered({ released: held.length });
  }

  /** A simple version of the real one: an unconfirmed order is marked, and a repeated call gets the same answer. */
  private giveUp(request: GiveUp): GiveUpResult {
    this.giveUps.push(request);
    const known = request.amc_order_ids.flatMap((id) => this.orders.get(id) ?? []);
    const orders = known.map((order) => {
      const isOpen = order.state === 'under_review' || order.state === 'pending';
      if (isOpen) order.given_up_by = request.payment_id;
      const { old_id, id, state, sequence } = order;
      return { old_id, id, outcome: isOpen ? ('given_up' as const) : ('kept' as const), state, sequence };
    });
    return { payment_id: request.payment_id, orders };
  }

  private claim(claim: Claim): ClaimResult {
    this.claims.push(claim);
    const { payment_id, tenant, amc_order_ids, replaces, investor_profile } = claim;
    const refuse = (
      code: 'BAD_REQUEST_ERROR' | 'ORDER_NOT_PENDING' | 'PAYMENT_ALREADY_EXISTS',
      field: string,
      claimed_by: number[] = [],
    ) =>
      ({
        outcome: 'refused',
        payment_id,
        code,
        message: code,
        errors: field ? [{ field, message: 'is wrong' }] : [],
        claimed_by,
      }) as const;
    const orders = amc_order_ids
      .flatMap((id) => this.orders.get(id) ?? [])
      .filter((order) => order.tenant === tenant);
    if (orders.length < amc_order_ids.length) return refuse('BAD_REQUEST_ERROR', 'amc_order_ids.0');
    if (investor_profile !== null && investor_profile !== INVESTOR)
      return refuse('BAD_REQUEST_ERROR', 'bank_account_id');
    const isOpen = ({ id, state }: FakeOrder) =>
      id.startsWith('mfrd_') ? state === 'confirmed' : state === 'pending' || state === 'submitted';
    if (!orders.every(isOpen)) return refuse('ORDER_NOT_PENDING', '');
    const holders = orders.flatMap(({ claimed_by }) =>
      claimed_by === null || claimed_by === payment_id || replaces.includes(claimed_by) ? [] : [claimed_by],
    );
    if (holders.length > 0) return refuse('PAYMENT_ALREADY_EXISTS', '', [...new Set(holders)]);
    for (const order of orders) order.claimed_by = payment_id;
    const claimed = orders.map(({ old_id, id, state, amount, sequence, scheme, scheme_category }) => ({
      old_id,
      id,
      state,
      amount: rupees(amount),
      sequence,
      scheme,
      scheme_category,
    }));
    return { outcome: 'claimed', payment_id, mf_investment_account: ACCOUNT, orders: claimed };
  }

  private audited(path: string, body: string): TransportAnswer {
    if (path.endsWith('/status')) this.audit.push(String(endAudit.parse(parseJson(body)).status));
    else this.audit.push(beginAudit.parse(parseJson(body)).path);
    return answered(path.endsWith('/status') ? { ended: true } : { id: this.audit.length });
  }

  private identityAnswer(url: URL, body: string): TransportAnswer {
    const tenant = url.searchParams.get('tenant');
    if (url.pathname === '/.well-known/jwks.json') return answered(keySet());
    const described = tenantOf('demo', this.settings);
    if (/^\/internal\/tenants\/(demo|other)$/.test(url.pathname)) return answered(described);
    if (/^\/internal\/tenants\/(demo|other)\/settings$/.test(url.pathname))
      return answered(described.settings);
    if (url.pathname === '/internal/tenants/demo/logo') {
      this.logoCalls += 1;
      return answered({ media_type: this.settings.logo?.media_type, content: this.logo.toString('base64') });
    }
    if (url.pathname.startsWith('/internal/audit_entries')) return this.audited(url.pathname, body);
    if (url.pathname.startsWith('/internal/mf_investment_accounts/'))
      return answered(investmentAccountOf(ACCOUNT, INVESTOR, this.contacts, this.payoutBankAccount));
    if (url.pathname === `/internal/investor_profiles/${INVESTOR}`)
      return answered({ id: INVESTOR, contacts: this.contacts });
    if (url.pathname === '/internal/bank_accounts/7' && tenant === 'demo')
      return answered(bankAccountOf(7, INVESTOR));
    if (url.pathname === '/internal/bank_accounts/8' && tenant === 'demo')
      return answered(bankAccountOf(8, `invp_${'c'.repeat(32)}`));
    return noSuchObject();
  }
}
