import {
  stringifyJson,
  type InvestmentAccountFacts,
  type RaisedDebit,
  type RaiseDebitRequest,
} from '@fundrail/contracts';
import type { ServiceTransport, TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { keySet } from '@fundrail/testing';
import { ACCOUNT, CONTACTS, INVESTOR } from './purchase.builder.ts';

type Resolved = 'payment' | 'void';

/** Identity and payments as orders sees them. Each tenant has the one account `ACCOUNT`. */
export class FakeNeighbours implements ServiceTransport {
  /** What payments was asked to resolve, call by call. */
  readonly asked: number[][] = [];
  /** Ids that are payments; all others become void when asked about. */
  readonly payments = new Set<number>();
  /** The debits that payments was asked to raise. */
  readonly debits: RaiseDebitRequest[] = [];
  /** What payments answers to that; null for silence. */
  onDebit: (asked: RaiseDebitRequest) => RaisedDebit | null = () => null;
  /** Happens once between the next answer of payments and its arrival. */
  meanwhile: (() => Promise<void>) | null = null;
  /** Whether the neighbours answer at all. */
  silent = false;
  /** Calls that were not answered. */
  refusals = 0;
  contacts: InvestmentAccountFacts['contacts'] = CONTACTS;

  async request(service: string, request: TransportRequest): Promise<TransportAnswer> {
    if (request.path === '/.well-known/jwks.json') return answer(keySet());
    if (this.silent) {
      this.refusals += 1;
      throw new Error(`${service} does not answer`);
    }
    if (request.path === '/internal/payments/debits') return this.debitAnswer(request.body ?? '');
    if (service === 'payments') return this.paymentsAnswer(request.body ?? '');
    return Promise.resolve(request.path.includes(ACCOUNT) ? answer(this.account()) : notFound());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private account(): InvestmentAccountFacts {
    const { contacts } = this;
    return { id: ACCOUNT, old_id: 1, primary_investor: INVESTOR, contacts, payout_bank_account_id: 1 };
  }

  private debitAnswer(body: string): TransportAnswer {
    const asked = JSON.parse(body) as RaiseDebitRequest;
    this.debits.push(asked);
    const raised = this.onDebit(asked);
    if (!raised) throw new Error('payments does not answer');
    return answer(raised);
  }

  private async paymentsAnswer(body: string): Promise<TransportAnswer> {
    const results = this.resolve(body);
    const { meanwhile } = this;
    this.meanwhile = null;
    await meanwhile?.();
    return answer({ results });
  }

  private resolve(body: string): { payment_id: number; kind: Resolved }[] {
    const { payment_ids } = JSON.parse(body) as { payment_ids: number[] };
    this.asked.push(payment_ids);
    return payment_ids.map((payment_id) => ({
      payment_id,
      kind: this.payments.has(payment_id) ? 'payment' : 'void',
    }));
  }
}

function answer(body: object): TransportAnswer {
  return { status: 200, body: stringifyJson(body) };
}

function notFound(): TransportAnswer {
  const error = { status: 404, code: 'NOT_FOUND', message: 'no such object', errors: [], request_id: 'r' };
  return { status: 404, body: stringifyJson({ error }) };
}
