import { ApiError } from '@fundrail/contracts';
import type { AuthoriseMandateRequest, CreatedAuthorisationDto, MandateFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import { findPayment } from '../payment/payment.repository.ts';
import type { Payment } from '../payment/payment.ts';
import { claimOwner } from '../payment/store-payment.ts';
import { FindAuthorisationTerms, type AuthorisationTerms } from './authorisation-terms.ts';
import { ClaimMandate } from './claim-mandate.ts';
import { StartAuthorisation } from './start-authorisation.ts';
import { StoreAuthorisation } from './store-authorisation.ts';

/** `POST /emandate/auth`: draws an id, starts the mandate's one running authorisation, stores the payment, calls the provider (CLAIM-1, MAN-11). */
@Injectable()
export class AuthoriseMandate {
  constructor(
    private readonly terms: FindAuthorisationTerms,
    private readonly ids: PaymentIds,
    private readonly claims: ClaimMandate,
    private readonly store: StoreAuthorisation,
    private readonly start: StartAuthorisation,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError`: 400 with the field, 409 AUTH_IN_PROGRESS and ILLEGAL_TRANSITION, 422, 503 without an answer. */
  async execute(caller: Caller, request: AuthoriseMandateRequest): Promise<CreatedAuthorisationDto> {
    const terms = await this.terms.execute(caller.tenant, request);
    const { id, isNew } = await this.ids.drawFor(caller);
    // A request with the same key died after it had stored its payment.
    const earlier = isNew ? null : await findPayment(this.database, caller.tenant, id);
    if (earlier) return this.start.execute(caller, earlier, terms.mandate);
    await passFaultPoint('payments.id_drawn');
    const mandate = await this.begin(caller.tenant, id, terms.mandate.id);
    await passFaultPoint('payments.claimed');
    return this.create(caller, id, { ...terms, mandate });
  }

  private async begin(tenant: string, id: number, mandate_id: number): Promise<MandateFacts> {
    try {
      return await this.claims.authorisation({ tenant, mandate_id, payment_id: id });
    } catch (error) {
      // A refusal holds nothing; without an answer the authorisation may have started.
      if (!(error instanceof ApiError) || error.status >= 500) await this.giveUp(tenant, id, mandate_id);
      throw error;
    }
  }

  private async create(
    caller: Caller,
    id: number,
    terms: AuthorisationTerms,
  ): Promise<CreatedAuthorisationDto> {
    const payment = await this.stored(caller, id, terms);
    await passFaultPoint('payments.created');
    return this.start.ifUnanswered(caller, payment, terms.mandate);
  }

  private async stored(caller: Caller, id: number, terms: AuthorisationTerms): Promise<Payment> {
    try {
      return await this.store.execute(caller, id, terms);
    } catch (error) {
      if (claimOwner(error) === 'ours') await this.giveUp(caller.tenant, id, terms.mandate.id);
      throw error;
    }
  }

  private giveUp(tenant: string, id: number, mandate_id: number): Promise<void> {
    return this.ids.giveUp({ id, tenant, payment_type: 'AUTH_TRANSACTION', mandate_id });
  }
}
