import type { AuthoriseMandateRequest, CreatedAuthorisationDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../../fault-points.ts';
import { Claims } from '../../payment/claims.ts';
import { OpenPayment } from '../../payment/open-payment.ts';
import { collectionOf } from '../collection.repository.ts';
import { FindAuthorisationTerms } from './authorisation-terms.ts';
import { StartAuthorisation } from './start-authorisation.ts';
import { StoreAuthorisation } from './store-authorisation.ts';

/** `POST /emandate/auth`: starts the mandate's one running authorisation, stores the payment, calls the provider (CLAIM-1, MAN-11). */
@Injectable()
export class AuthoriseMandate {
  constructor(
    private readonly terms: FindAuthorisationTerms,
    private readonly open: OpenPayment,
    private readonly claims: Claims,
    private readonly store: StoreAuthorisation,
    private readonly start: StartAuthorisation,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError`: 400 with the field, 409 AUTH_IN_PROGRESS and ILLEGAL_TRANSITION, 422, 503 without an answer. */
  async execute(caller: Caller, request: AuthoriseMandateRequest): Promise<CreatedAuthorisationDto> {
    const { tenant } = caller;
    const terms = await this.terms.execute(tenant, request);
    const mandate_id = terms.mandate.id;
    return this.open.forCaller(caller, {
      held: { tenant, payment_type: 'AUTH_TRANSACTION', mandate_id },
      claim: (payment_id) => this.claims.authorisation({ tenant, mandate_id, payment_id }),
      store: async (mandate, id) => {
        const payment = await this.store.execute(caller, id, { ...terms, mandate });
        await passFaultPoint('payments.created');
        return this.start.ifUnanswered(caller, payment, mandate);
      },
      resume: async (earlier) =>
        this.start.execute(caller, await collectionOf(this.database, earlier), terms.mandate),
    });
  }
}
