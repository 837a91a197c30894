import { debitStandings, type PaymentStanding } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { PaymentProvider } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { question } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { standingsOf, type Standing } from './standing.repository.ts';

/** Ids that are queried concurrently. Their calls share connections with those of investors who are paying (decision 0024). */
const AT_ONCE = 8;

/**
 * Reads the state of payments for other services. An id without a payment may belong to one in a lost database: then the providers are
 * queried about its money.
 */
@Injectable()
export class ReadStandings {
  constructor(
    private readonly db: Database,
    private readonly providers: PaymentProviders,
    private readonly services: ServiceClient,
  ) {}

  /** Throws `SERVICE_UNAVAILABLE` when mandates does not answer. */
  async execute(ids: readonly number[]): Promise<PaymentStanding[]> {
    const standings = await standingsOf(this.db, ids);
    const lost = standings.filter(({ status }) => !status).map(({ payment_id }) => payment_id);
    const debits = await this.debitsAmong(lost);
    const found: PaymentStanding[] = [];
    for (let from = 0; from < standings.length; from += AT_ONCE) {
      const few = standings.slice(from, from + AT_ONCE);
      found.push(...(await Promise.all(few.map((standing) => this.complete(standing, debits)))));
    }
    return found;
  }

  private async complete(standing: Standing, debits: ReadonlySet<number>): Promise<PaymentStanding> {
    const { payment_id, kind, status, live } = standing;
    if (status) return { known: 'payment', payment_id, status, live: [...live] };
    // A debit has a reference for each attempt, and the number of attempts is not known any more.
    const money = debits.has(payment_id) ? null : await this.moneyUnder(paymentReference(payment_id));
    return { known: kind === 'void' ? 'void' : 'nothing', payment_id, money };
  }

  /** Those that mandates has admitted as debits. */
  private async debitsAmong(payment_ids: number[]): Promise<ReadonlySet<number>> {
    if (payment_ids.length === 0) return new Set();
    const call = question('debits', { payment_ids }, debitStandings);
    const { debits } = await this.services.call('mandates', call);
    return new Set(debits.map(({ payment_id }) => payment_id));
  }

  /** Whether a provider has taken money; null when one gave no answer. A payment that still waits for the investor is cancelled first. */
  private async moneyUnder(reference: string): Promise<boolean | null> {
    const answers = await Promise.all(this.providers.all.map((provider) => hasMoney(provider, reference)));
    if (answers.includes(true)) return true;
    return answers.includes(null) ? null : false;
  }
}

/** Null also when the payment can still be paid after the cancellation, as at a provider that cannot cancel. */
async function hasMoney(provider: PaymentProvider, reference: string): Promise<boolean | null> {
  const found = await moneyNow(provider, reference);
  if (found !== 'waiting') return found;
  const closed = await provider.cancel(reference);
  if (closed.kind === 'unknown') return null;
  const after = await moneyNow(provider, reference);
  return after === 'waiting' ? null : after;
}

async function moneyNow(provider: PaymentProvider, reference: string): Promise<boolean | null | 'waiting'> {
  const answer = await provider.paymentStatus(reference);
  if (answer.kind === 'not_found') return false;
  if (answer.kind !== 'yes') return null;
  return answer.value.status === 'waiting' ? 'waiting' : answer.value.status === 'captured';
}
