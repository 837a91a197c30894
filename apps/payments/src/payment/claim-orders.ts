import { ApiError } from '@fundrail/contracts';
import type { Claim, ClaimResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { holdersOf } from './payment-id.repository.ts';
import { holdsNothing } from './payment.ts';

/** The claim, and up to two more when dead payments hold some of the orders: each try replaces what the last one met. */
const TRIES = 3;

export type Claimed = Extract<ClaimResult, { outcome: 'claimed' }>;

/**
 * Claims the orders for a payment, all or none. A claim held by a payment that is FAILED, REJECTED or void here is taken
 * over, so that a client that retries the moment it hears of a failure never meets it (architecture §11).
 */
@Injectable()
export class ClaimOrders {
  constructor(
    private readonly claims: OrderClaims,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError` with the code of the refusal; SERVICE_UNAVAILABLE when there was no answer and the claim may stand. */
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

  /** The holders, when every one of them is known here to be dead; null when one may live. */
  private async deadHolders(ids: readonly number[]): Promise<readonly number[] | null> {
    if (ids.length === 0) return null;
    const known = await holdersOf(this.database, ids);
    const dead = known.filter(holdsNothing);
    return dead.length === new Set(ids).size ? ids : null;
  }
}
