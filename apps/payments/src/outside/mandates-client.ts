import {
  ApiError,
  authorisationResult,
  cancelledDebit,
  debitAsked,
  debitResult,
  debitResults,
  mandatesAnswer,
  mandateTerms,
  MOST_DEBITS_AT_ONCE,
  MOST_MANDATES,
  releasedAnswer,
  takenFactAnswer,
  tracedDebit,
} from '@fundrail/contracts';
import type {
  AdmitDebit,
  AskDebit,
  AskedNow,
  AskMandates,
  AuthorisationResult,
  BeginAuthorisation,
  CancelDebit,
  CancelledDebit,
  DebitResult,
  DebitResults,
  MandateFact,
  MandateFacts,
  MandateTerms,
  ReleaseAuthorisation,
  ReleaseDebit,
  TracedDebit,
} from '@fundrail/contracts';
import { GroupedCalls } from '@fundrail/messaging';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

type MandateKey = AskMandates['mandates'][number];
const UNKNOWN = { outcome: 'unknown' } as const;

/**
 * The decisions of mandates (CALL-6): facts, the one running authorisation, debits. Each call is idempotent.
 * Without an answer, throws `ApiError` SERVICE_UNAVAILABLE: the call may have had its effect.
 */
@Injectable()
export class Mandates {
  private readonly finds: GroupedCalls<MandateKey, MandateFacts | null>;
  private readonly admissions: GroupedCalls<AdmitDebit, DebitResults['results'][number]>;

  constructor(private readonly services: ServiceClient) {
    this.finds = new GroupedCalls((keys) => this.findAll(keys), MOST_MANDATES);
    this.admissions = new GroupedCalls((debits) => this.admitAll(debits), MOST_DEBITS_AT_ONCE);
  }

  /** The mandate, or null when the tenant has none under that id. Concurrent questions share a call. */
  find(tenant: string, id: number): Promise<MandateFacts | null> {
    return this.finds.call({ tenant, id });
  }

  /** The same with the terms of its debits, or null when the tenant has none under that id. */
  facts(tenant: string, id: number): Promise<MandateTerms | null> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('mandates', path, mandateTerms);
  }

  begin(asked: BeginAuthorisation): Promise<AuthorisationResult> {
    return this.post('authorisations', asked, authorisationResult);
  }

  async releaseAuthorisation(asked: ReleaseAuthorisation): Promise<void> {
    await this.post('authorisations/release', asked, releasedAnswer);
  }

  /** Concurrent requests share a call. */
  async admit(asked: AdmitDebit): Promise<DebitResult> {
    const result = await this.admissions.call(asked);
    if (result.outcome === 'unknown') throw unanswered();
    return result;
  }

  async releaseDebit(asked: ReleaseDebit): Promise<void> {
    await this.post('debits/release', asked, releasedAnswer);
  }

  async cancelDebit(asked: CancelDebit): Promise<CancelledDebit['outcome']> {
    return (await this.post('debits/cancel', asked, cancelledDebit)).outcome;
  }

  /** The part of a payment's trace that mandates knows, or null when it has no such debit. */
  traceDebit(tenant: string, paymentId: number): Promise<TracedDebit | null> {
    const path = `/internal/mandates/debits/${paymentId}/trace?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('mandates', path, tracedDebit);
  }

  /** Makes the question about an execution due at once, or returns null when no execution is asked about. Throws 429. */
  async askDebit(tenant: string, payment_id: number): Promise<AskedNow | null> {
    const asking = { method: 'POST', path: '/internal/mandates/debits/ask', answer: debitAsked } as const;
    const { asked, retry_after_s } = await this.services.call('mandates', {
      ...asking,
      body: { tenant, payment_id } satisfies AskDebit,
    });
    if (retry_after_s !== null) throw new ApiError('RATE_LIMITED', undefined, [], retry_after_s);
    return asked.length > 0 ? { asked } : null;
  }

  /** Reports what a provider notified about a mandate, before the callback is answered. */
  async reportFact(fact: MandateFact): Promise<void> {
    await this.post('facts', fact, takenFactAnswer);
  }

  private async findAll(keys: readonly MandateKey[]): Promise<(MandateFacts | null)[]> {
    const [first] = keys;
    if (first && keys.length === 1) return [await this.facts(first.tenant, first.id)];
    const { mandates } = await this.post('batch', { mandates: keys }, mandatesAnswer).catch(
      (error: unknown) => {
        throw ofTheWhole(error);
      },
    );
    const found = new Map(mandates.map((mandate) => [mandate.id, mandate]));
    return keys.map(({ tenant, id }) => {
      const mandate = found.get(id);
      return mandate?.tenant === tenant ? mandate : null;
    });
  }

  private async admitAll(debits: readonly AdmitDebit[]): Promise<DebitResults['results']> {
    const [first] = debits;
    if (first && debits.length === 1) return [await this.admitAlone(first)];
    try {
      return (await this.post('debits/batch', { debits }, debitResults)).results;
    } catch (error) {
      // Mandates of the release before has no such route.
      if (error instanceof ApiError && error.code === 'NOT_FOUND')
        return Promise.all(debits.map((debit) => this.admitAlone(debit).catch(() => UNKNOWN)));
      throw ofTheWhole(error);
    }
  }

  private admitAlone(debit: AdmitDebit): Promise<DebitResult> {
    return this.post('debits', debit, debitResult);
  }

  private post<S extends z.ZodType>(path: string, body: object, answer: S): Promise<z.output<S>> {
    return this.services.call('mandates', {
      method: 'POST',
      path: `/internal/mandates/${path}`,
      body,
      answer,
      retry: true,
    });
  }
}

/** A refusal of a call for many says nothing about any of its parts. */
function ofTheWhole(error: unknown): unknown {
  return error instanceof ApiError && error.status < 500 ? unanswered(error) : error;
}

function unanswered(cause?: unknown): ApiError {
  return Object.assign(new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1), { cause });
}
