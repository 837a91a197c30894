import { ApiError } from '@fundrail/contracts';
import type {
  AdmitDebit,
  AuthorisationResult,
  BeginAuthorisation,
  DebitResult,
  MandateFacts,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../outside/mandates-client.ts';
import { holdersOf } from '../payment/payment-id.repository.ts';
import { holdsNothing } from '../payment/payment.ts';

/** Until the provider has confirmed how the mandate stands, in seconds: its first question is asked at once. */
const IN_DOUBT_S = 5;

/** The asking, and twice more when dead payments stand in the way: each try replaces what the last one met. */
const TRIES = 3;

type Answered = AuthorisationResult | DebitResult;

/**
 * Asks mandates to begin an authorisation or to admit a debit. What a payment holds that is FAILED or void here is taken over,
 * so that a client that retries the moment it hears of a failure never meets it (architecture §11).
 */
@Injectable()
export class ClaimMandate {
  constructor(
    private readonly mandates: Mandates,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError` with the code of the refusal; SERVICE_UNAVAILABLE when there was no answer and it may have begun. */
  authorisation(asked: Omit<BeginAuthorisation, 'replaces'>): Promise<MandateFacts> {
    return this.ask((replaces) => this.mandates.begin({ ...asked, replaces }));
  }

  /** Throws as `authorisation`. */
  debit(asked: Omit<AdmitDebit, 'replaces'>): Promise<MandateFacts> {
    return this.ask((replaces) => this.mandates.admit({ ...asked, replaces }));
  }

  private async ask(call: (replaces: number[]) => Promise<Answered>): Promise<MandateFacts> {
    const replaces: number[] = [];
    for (let attempt = 1; ; attempt += 1) {
      const result = await call([...replaces]);
      if (result.outcome === 'later') throw inDoubt();
      if (result.outcome !== 'refused') return result.mandate;
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

/** A client may come again, and a plan does: a 409 would be taken for the mandate's end. */
function inDoubt(): ApiError {
  const message = 'The mandate is being confirmed with its provider; try again in a moment';
  return new ApiError('SERVICE_UNAVAILABLE', message, [], IN_DOUBT_S);
}
