import { ApiError, type Claim, type ClaimResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { holdersOf } from './payment-id.repository.ts';
import { holdsNothing } from './payment.ts';

/** The first claim, and up to two more when dead payments hold some of the orders: each try replaces the holders that the last one found. */
const TRIES = 3;

export type Claimed = Extract<ClaimResult, { outcome: 'claimed' }>;

/**
 * Claims the orders for a payment, all or none. Takes over claims of FAILED, REJECTED or void payments, so that a client can retry
 * as soon as it is notified of a failure (CLAIM-6).
 */
@Injectable()
export class ClaimOrders {
  constructor(
    private readonly claims: OrderClaims,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError` with the code of the refusal; SERVICE_UNAVAILABLE when there was no answer: the claim may exist. */
  async execute(asked: Omit<Claim, 'replaces'>): Promise<Claimed> {
    const replaces = new Set<number>();
    for (let attempt = 1; ; attempt += 1) {
      const result = await this.claims.claim({ ...asked, replaces: [...replaces] });
      if (result.outcome === 'claimed') return result;
      const dead =
        attempt < TRIES && result.code === 'PAYMENT_ALREADY_EXISTS'
          ? await this.deadHolders(result.claimed_by)
          : null;
      if (!dead) throw new ApiError(result.code, result.message, result.errors);
      for (const id of dead) replaces.add(id);
    }
  }

  /** The holders when all of them are known to be dead; null when one may be alive. */
  private async deadHolders(ids: readonly number[]): Promise<readonly number[] | null> {
    if (ids.length === 0) return null;
    const known = await holdersOf(this.database, ids);
    const dead = known.filter(holdsNothing);
    return dead.length === new Set(ids).size ? ids : null;
  }
}
