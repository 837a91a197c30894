import { ApiError, paymentFacts, resolveAnswer } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import {
  earliestClaimCheck,
  leaseClaimChecks,
  markClaimsKnown,
  type UncheckedClaim,
} from './claim.repository.ts';
import { ReleaseClaim } from './release-claim.ts';

/** The limit of `/internal/payments/resolve`; each claim has at least one order. */
const MOST_AT_ONCE = 500;
/** After this time the same claims are checked again, if payments did not answer or this process died. */
const ASK_AGAIN_MS = 60_000;

/**
 * Finds claims whose payment was never created (a crash between claim and payment). A timeout alone frees none of them. Payments is
 * asked, and first stores `void` under the id, so that the payment can no longer be created; only then is the claim released
 * (CLAIM-8). A payment that exists is recorded and not asked about again.
 */
@Injectable()
export class ClaimSweep extends DueLane {
  readonly name = 'claims';

  constructor(
    private readonly database: Database,
    private readonly services: ServiceClient,
    private readonly releaseClaim: ReleaseClaim,
    private readonly log: Log,
  ) {
    super();
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestClaimCheck(this.database, before);
  }

  async run(now: Date): Promise<number> {
    const until = new Date(now.getTime() + ASK_AGAIN_MS);
    const claims = await leaseClaimChecks(this.database, now, until, MOST_AT_ONCE);
    if (claims.length === 0) return 0;
    await passFaultPoint('orders.sweep.leased');
    await this.settle(claims, until);
    return claims.length;
  }

  private async settle(claims: readonly UncheckedClaim[], until: Date): Promise<void> {
    const body = { payment_ids: claims.map((claim) => claim.payment_id) };
    const call = {
      method: 'POST',
      path: '/internal/payments/resolve',
      body,
      answer: resolveAnswer,
      retry: true,
    } as const;
    const { results } = await this.services.call('payments', call);
    await passFaultPoint('orders.sweep.resolved');
    const kinds = new Map(results.map((result) => [result.payment_id, result.kind]));
    await markClaimsKnown(
      this.database,
      body.payment_ids.filter((id) => kinds.get(id) === 'payment'),
      until,
    );
    for (const { tenant, payment_id } of claims) {
      if (kinds.get(payment_id) !== 'void') continue;
      const never_made = await this.wasNeverMade(payment_id);
      const released = await this.releaseClaim.execute({ tenant, payment_id, never_made });
      this.log.info('a claim without a payment was freed', { tenant, payment_id, released });
    }
  }

  /** A dead payment is answered as void too, but it exists, so its orders keep its number. */
  private async wasNeverMade(id: number): Promise<boolean> {
    const path = `/internal/payments/${id}`;
    try {
      await this.services.call('payments', { method: 'GET', path, answer: paymentFacts, retry: true });
      return false;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return true;
      throw error;
    }
  }
}
