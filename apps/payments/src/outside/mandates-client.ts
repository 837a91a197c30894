import {
  authorisationResult,
  cancelledDebit,
  debitResult,
  mandateTerms,
  releasedAnswer,
  takenFactAnswer,
  tracedDebit,
} from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  CancelDebit,
  CancelledDebit,
  DebitResult,
  MandateFact,
  MandateTerms,
  ReleaseAuthorisation,
  ReleaseDebit,
  TracedDebit,
} from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

/**
 * The decisions of mandates (CALL-6): facts, the one running authorisation, debits. Each call is idempotent.
 * Without an answer, throws `ApiError` SERVICE_UNAVAILABLE: the call may have had its effect.
 */
@Injectable()
export class Mandates {
  constructor(private readonly services: ServiceClient) {}

  /** The mandate, or null when the tenant has none under that id. */
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

  admit(asked: AdmitDebit): Promise<DebitResult> {
    return this.post('debits', asked, debitResult);
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

  /** Reports what a provider notified about a mandate, before the callback is answered. */
  async reportFact(fact: MandateFact): Promise<void> {
    await this.post('facts', fact, takenFactAnswer);
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
