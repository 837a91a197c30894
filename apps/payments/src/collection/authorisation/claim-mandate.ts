import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  DebitResult,
  MandateFacts,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../../outside/mandates-client.ts';
import { holdersOf } from '../../payment/payment-id.repository.ts';
import { holdsNothing } from '../../payment/payment.ts';

/** Retry-After in seconds while mandates confirms the mandate's state with the provider; it asks immediately. */
const IN_DOUBT_S = 5;

/** The first call, and two more when dead payments hold the mandate: each call replaces the holder that the last one found. */
const TRIES = 3;

type Begun = Extract<AuthorisationResult, { outcome: 'begun' }>;
/** The admission of a debit, with its expected day. */
type Admitted = Extract<DebitResult, { outcome: 'admitted' }>;
type Answered = Begun | Admitted;
type Refused = Exclude<AuthorisationResult | DebitResult, Answered>;

/**
 * Asks mandates to start an authorisation or to admit a debit. Takes over what a FAILED or void payment still holds, so that a
 * client can retry as soon as it is notified of a failure (CLAIM-6).
 */
@Injectable()
export class ClaimMandate {
  constructor(
    private readonly mandates: Mandates,
    private readonly database: Database,
  ) {}

  /** The mandate that a request names, before anything is claimed. Throws `ValidationFailed` on its field when the tenant has none. */
  async mandate(tenant: string, mandate_id: number): Promise<MandateFacts> {
    const mandate = await this.mandates.facts(tenant, mandate_id);
    if (mandate) return mandate;
    throw new ValidationFailed([{ field: 'mandate_id', message: 'is not a mandate of this tenant' }]);
  }

  /** Throws `ApiError` with the code of the refusal; SERVICE_UNAVAILABLE when there was no answer: it may have started. */
  async authorisation(asked: Omit<BeginAuthorisation, 'replaces'>): Promise<MandateFacts> {
    return (await this.ask<Begun>((replaces) => this.mandates.begin({ ...asked, replaces }))).mandate;
  }

  /** Throws like `authorisation`. */
  debit(asked: Omit<AdmitDebit, 'replaces'>): Promise<Admitted> {
    return this.ask<Admitted>((replaces) => this.mandates.admit({ ...asked, replaces }));
  }

  private async ask<A extends Answered>(call: (replaces: number[]) => Promise<A | Refused>): Promise<A> {
    const replaces: number[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const result = await call([...replaces]);
      if ('mandate' in result) return result;
      if (result.outcome === 'later') throw inDoubt();
      const { held_by } = result;
      if (attempt === TRIES || held_by === null || !(await this.isDead(held_by)))
        throw new ApiError(result.code, result.message, result.errors);
      replaces.push(held_by);
    }
  }

  private async isDead(id: number): Promise<boolean> {
    const [holder] = await holdersOf(this.database, [id]);
    return holder !== undefined && holdsNothing(holder);
  }
}

/** 503, so that clients and plans retry; they would take a 409 for the mandate's end. */
function inDoubt(): ApiError {
  const message = 'The mandate is being confirmed with its provider; try again in a few seconds';
  return new ApiError('SERVICE_UNAVAILABLE', message, [], IN_DOUBT_S);
}
