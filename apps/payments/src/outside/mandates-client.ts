import {
  ApiError,
  authorisationResult,
  closedAnswer,
  debitResult,
  mandateFacts,
  permitResult,
  permitsAnswer,
  releasedAnswer,
  takenFactAnswer,
} from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  ClosePermit,
  DebitResult,
  MandateFact,
  MandateFacts,
  PermitOfMany,
  PermitResult,
  ReleaseAuthorisation,
  ReleaseDebit,
  TakePermit,
} from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

/**
 * The decisions of mandates (CALL-6): facts, the one running authorisation, admission of debits, permits. Each call is idempotent.
 * Without an answer, throws `ApiError` SERVICE_UNAVAILABLE: the call may have had its effect.
 */
@Injectable()
export class Mandates {
  constructor(private readonly services: ServiceClient) {}

  /** The mandate, or null when the tenant has none under that id. */
  facts(tenant: string, id: number): Promise<MandateFacts | null> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    return this.services.find('mandates', path, mandateFacts);
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

  permit(asked: TakePermit): Promise<PermitResult> {
    return this.post('permits', asked, permitResult);
  }

  /** Permits for several calls, at most `MOST_PERMITS`; the results come in the order of `permits`. */
  async permitAll(permits: readonly TakePermit[]): Promise<readonly PermitOfMany[]> {
    const { results } = await this.post('permits/batch', { permits }, permitsAnswer);
    // A result in a wrong place counts as no answer: its permit may exist.
    if (permits.some(({ payment_id }, index) => results[index]?.payment_id !== payment_id))
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return results;
  }

  async closePermit(asked: ClosePermit): Promise<void> {
    await this.post('permits/close', asked, closedAnswer);
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
