import { askMandates, askRedemptions } from '@fundrail/contracts';
import type { Decimal, MandateFacts, RedemptionStanding } from '@fundrail/contracts';
import type { TransportAnswer, TransportRequest } from '@fundrail/service-kit/http';
import { answered, FakeServices, investmentAccountOf, noSuchObject } from '@fundrail/testing';
import { ACCOUNT, aMandate, CONTACTS, INVESTOR } from './plan.builder.ts';

/** Fakes of identity, mandates and orders. Each tenant has the one account `ACCOUNT`, and `demo` has the mandates. */
export class FakeNeighbours extends FakeServices {
  readonly mandates = new Map<number, MandateFacts>([[aMandate().id, aMandate()]]);
  /** The audit rows that identity was asked to write: `POST /admin/holidays`, and later its status. */
  readonly audit: string[] = [];
  /** For each question about many mandates, how many it asked for. */
  readonly questions: number[] = [];
  /** The states of orders' redemptions and purchases, by their ids. */
  readonly redemptions = new Map<string, RedemptionStanding['state']>();
  /** Their amounts, where orders names one. */
  readonly amounts = new Map<string, Decimal>();
  /** Of all others: orders is reviewing them, or has none (null), so that a nightly run publishes the installments again. */
  othersAre: 'under_review' | null = 'under_review';

  protected answer({ path, body }: TransportRequest): TransportAnswer | Promise<TransportAnswer> {
    if (path.startsWith('/internal/audit_entries')) return this.write(path, body ?? '{}');
    if (path === '/internal/mandates/batch')
      return this.late(answered({ mandates: this.mandatesOf(body ?? '{}') }));
    if (path === '/internal/reconciliation/redemptions')
      return answered({ redemptions: this.redemptionsOf(body ?? '{}') });
    const { pathname, searchParams } = new URL(path, 'http://neighbour');
    const id = pathname.split('/').at(-1) ?? '';
    if (pathname.startsWith('/internal/mf_investment_accounts/'))
      return id === ACCOUNT ? answered(investmentAccountOf(ACCOUNT, INVESTOR, CONTACTS)) : noSuchObject();
    const mandate = searchParams.get('tenant') === 'demo' ? this.mandates.get(Number(id)) : undefined;
    return mandate ? answered(mandate) : noSuchObject();
  }

  private mandatesOf(body: string): MandateFacts[] {
    const asked = askMandates.parse(JSON.parse(body)).mandates.filter(({ tenant }) => tenant === 'demo');
    this.questions.push(asked.length);
    return asked.flatMap(({ id }) => this.mandates.get(id) ?? []);
  }

  private redemptionsOf(body: string): RedemptionStanding[] {
    return askRedemptions.parse(JSON.parse(body)).ids.flatMap((id) => {
      const state = this.redemptions.get(id) ?? this.othersAre;
      const amount = this.amounts.get(id) ?? null;
      return state === null ? [] : { id, state, amount, failure_code: null, folio_number: null };
    });
  }

  private write(path: string, body: string): TransportAnswer {
    const asked = JSON.parse(body) as { method?: string; path?: string; status?: number };
    this.audit.push(asked.status === undefined ? `${asked.method} ${asked.path}` : String(asked.status));
    return answered(path.endsWith('/status') ? { ended: true } : { id: this.audit.length });
  }
}
