import type { PaymentStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import type { PaymentProvider } from '@fundrail/providers';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { paymentReference } from '../payment/references.ts';
import { standingsOf, type Standing } from './standing.repository.ts';

/**
 * How payments stand, for the neighbours. An id that nobody made a payment of may have been one in a database that is lost: then
 * the providers know what became of it.
 */
@Injectable()
export class TellStandings {
  constructor(
    private readonly db: Database,
    private readonly providers: PaymentProviders,
  ) {}

  async execute(ids: readonly number[]): Promise<PaymentStanding[]> {
    const standings = await standingsOf(this.db, ids);
    return Promise.all(standings.map((standing) => this.tell(standing)));
  }

  private async tell({ payment_id, kind, status, live }: Standing): Promise<PaymentStanding> {
    if (status) return { known: 'payment', payment_id, status, live: [...live] };
    const money = await this.moneyUnder(paymentReference(payment_id));
    return { known: kind === 'void' ? 'void' : 'nothing', payment_id, money };
  }

  /** Whether a provider has taken money; null when one gave no answer. What waits for an investor there is closed first. */
  private async moneyUnder(reference: string): Promise<boolean | null> {
    const answers = await Promise.all(this.providers.all.map((provider) => hasMoney(provider, reference)));
    if (answers.includes(true)) return true;
    return answers.includes(null) ? null : false;
  }
}

async function hasMoney(provider: PaymentProvider, reference: string): Promise<boolean | null> {
  const answer = await provider.paymentStatus(reference);
  if (answer.kind === 'unknown') return null;
  if (answer.kind !== 'yes') return false;
  if (answer.value.status !== 'waiting') return answer.value.status === 'captured';
  const closed = await provider.cancel(reference);
  if (closed.kind === 'unknown') return null;
  return closed.kind === 'no';
}
