import { resolveAnswer } from '@fundrail/contracts';
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

/** A batch is at most what `/internal/payments/resolve` takes; each claim has at least one order. */
const MOST_AT_ONCE = 500;
/** When payments did not answer, or this process died in between, the same claims are asked about again after this. */
const ASK_AGAIN_MS = 60_000;

/**
 * Finds claims whose payment never came to be (a crash between claim and payment). No time-out frees one: payments is
 * asked, and writes `void` under the id first, so that the payment cannot come to be any more; only then is the claim
 * released (architecture §11). A payment that exists is noted, and never asked about again.
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
      const released = await this.releaseClaim.execute(tenant, payment_id);
      this.log.info('a claim without a payment was freed', { tenant, payment_id, released });
    }
  }
}
