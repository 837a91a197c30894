import {
  ApiError,
  authorisationResult,
  closedAnswer,
  debitResult,
  mandateFacts,
  permitResult,
  releasedAnswer,
} from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  ClosePermit,
  DebitResult,
  MandateFacts,
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
  async facts(tenant: string, id: number): Promise<MandateFacts | null> {
    const path = `/internal/mandates/${id}?tenant=${encodeURIComponent(tenant)}`;
    try {
      return await this.services.call('mandates', { method: 'GET', path, answer: mandateFacts });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
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

  async closePermit(asked: ClosePermit): Promise<void> {
    await this.post('permits/close', asked, closedAnswer);
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
