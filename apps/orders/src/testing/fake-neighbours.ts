import type {
  InvestmentAccountFacts,
  PaymentStanding,
  RaisedDebit,
  RaiseDebitRequest,
} from '@fundrail/contracts';
import type { TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import type { PaymentStatus } from '@fundrail/state-machines';
import { answered, FakeServices, investmentAccountOf, noSuchObject } from '@fundrail/testing';
import { ACCOUNT, CONTACTS, INVESTOR } from './purchase.builder.ts';

/** Fakes of identity and payments. Each tenant has the one account `ACCOUNT`. */
export class FakeNeighbours extends FakeServices {
  /** Ids of dead payments: they exist, and are answered as void. */
  readonly dead = new Set<number>();
  /** The debits that payments was asked to start. */
  readonly debits: RaiseDebitRequest[] = [];
  /** How many of them came in each call for many. */
  readonly batches: number[] = [];
  /** The answer of payments to that; null for no answer. */
  onDebit: (asked: RaiseDebitRequest) => RaisedDebit | null = () => null;
  /** The states of payments for reconciliation. An id without an entry is unknown there. */
  readonly standings = new Map<number, PaymentStatus>();
  contacts: InvestmentAccountFacts['contacts'] = CONTACTS;

  protected answer(request: TransportRequest, service: string): TransportAnswer | Promise<TransportAnswer> {
    if (request.path === '/internal/payments/debits') return this.debitAnswer(request.body ?? '');
    if (request.path === '/internal/payments/debits/batch') return this.debitsAnswer(request.body ?? '');
    if (request.path === '/internal/reconciliation/payments')
      return answered({ payments: this.standingsOf(request.body ?? '') });
    const known = /^\/internal\/payments\/(\d+)$/.exec(request.path);
    if (known) return this.factsOf(Number(known[1]));
    if (service === 'payments') return this.resolved(request);
    if (!request.path.includes(ACCOUNT)) return noSuchObject();
    return answered(investmentAccountOf(ACCOUNT, INVESTOR, this.contacts));
  }

  private debitAnswer(body: string): TransportAnswer {
    const asked = JSON.parse(body) as RaiseDebitRequest;
    this.debits.push(asked);
    const raised = this.onDebit(asked);
    if (!raised) throw new Error('payments does not answer');
    return answered(raised);
  }

  private debitsAnswer(body: string): TransportAnswer {
    const { debits } = JSON.parse(body) as { debits: RaiseDebitRequest[] };
    this.batches.push(debits.length);
    this.debits.push(...debits);
    return answered({ results: debits.map((asked) => this.onDebit(asked) ?? { outcome: 'unknown' }) });
  }

  private factsOf(id: number): TransportAnswer {
    if (this.payments.has(id)) return answered({ id, tenant: 'demo', status: 'PENDING' });
    return this.dead.has(id) ? answered({ id, tenant: 'demo', status: 'FAILED' }) : noSuchObject();
  }

  private standingsOf(body: string): PaymentStanding[] {
    const { payment_ids } = JSON.parse(body) as { payment_ids: number[] };
    return payment_ids.map((payment_id) => {
      const status = this.standings.get(payment_id);
      return status
        ? { known: 'payment', payment_id, status, live: [] }
        : { known: 'nothing', payment_id, money: null };
    });
  }
}
