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
 * What mandates decides (contract §4): facts, the one running authorisation, admission of debits, permits. Each call twice is
 * the call once. No answer is an `ApiError` SERVICE_UNAVAILABLE: what was asked for may be there.
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

  /** For calls that are made together, in the order asked; at most `MOST_PERMITS`. */
  async permitAll(permits: readonly TakePermit[]): Promise<readonly PermitOfMany[]> {
    const { results } = await this.post('permits/batch', { permits }, permitsAnswer);
    // A result that stands in another's place is no answer, and its permit may be there.
    if (permits.some(({ payment_id }, index) => results[index]?.payment_id !== payment_id))
      throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
    return results;
  }

  async closePermit(asked: ClosePermit): Promise<void> {
    await this.post('permits/close', asked, closedAnswer);
  }

  /** A provider's word about a mandate, before its callback is answered. */
  async tell(fact: MandateFact): Promise<void> {
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
