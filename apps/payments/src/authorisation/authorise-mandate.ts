import { ApiError } from '@fundrail/contracts';
import type { AuthoriseMandateRequest, CreatedAuthorisationDto, MandateFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import { findPayment } from '../payment/payment.repository.ts';
import { isUnanswered } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { whoseClaim } from '../payment/store-payment.ts';
import { VoidPayment } from '../payment/void-payment.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { FindAuthorisationTerms } from './authorisation-terms.ts';
import type { AuthorisationTerms } from './authorisation-terms.ts';
import { ClaimMandate } from './claim-mandate.ts';
import { StartAuthorisation } from './start-authorisation.ts';
import { StoreAuthorisation } from './store-authorisation.ts';

/** `POST /emandate/auth`: id, the mandate's one running authorisation, the payment, the provider (architecture §11, contract §4). */
@Injectable()
export class AuthoriseMandate {
  constructor(
    private readonly terms: FindAuthorisationTerms,
    private readonly ids: PaymentIds,
    private readonly claims: ClaimMandate,
    private readonly voids: VoidPayment,
    private readonly store: StoreAuthorisation,
    private readonly start: StartAuthorisation,
    private readonly answers: AuthorisationAnswers,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError`: 400 naming the field, 409 AUTH_IN_PROGRESS and ILLEGAL_TRANSITION, 422, 503 without an answer. */
  async execute(caller: Caller, request: AuthoriseMandateRequest): Promise<CreatedAuthorisationDto> {
    const terms = await this.terms.execute(caller.tenant, request);
    const { id, isNew } = await this.ids.drawFor(caller);
    // A request with the same key died after its payment was there.
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
      // A refusal holds nothing; without an answer it may have begun.
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
    return isUnanswered(payment)
      ? this.start.execute(caller, payment, terms.mandate)
      : this.answers.created(payment);
  }

  private async stored(caller: Caller, id: number, terms: AuthorisationTerms): Promise<Payment> {
    try {
      return await this.store.execute(caller, id, terms);
    } catch (error) {
      if (whoseClaim(error) === 'ours') await this.giveUp(caller.tenant, id, terms.mandate.id);
      throw error;
    }
  }

  private giveUp(tenant: string, id: number, mandate_id: number): Promise<void> {
    return this.voids.execute({ id, tenant, payment_type: 'AUTH_TRANSACTION', mandate_id });
  }
}
