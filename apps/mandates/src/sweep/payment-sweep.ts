import { resolveAnswer } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { EndDebit } from '../debit/end-debit.ts';
import { passFaultPoint } from '../fault-points.ts';
import { freeAuthorisation } from '../mandate/mandate.repository.ts';
import { earliestCheck, leaseChecks, markKnown, type Unchecked } from './payment-sweep.repository.ts';

/** The limit for each of the two tables. Both together stay within the limit of `/internal/payments/resolve`. */
const MOST_AT_ONCE = 250;
/** After this time the same ones are checked again, if payments did not answer or this process died. */
const ASK_AGAIN_MS = 60_000;

/**
 * Finds authorisations and debits whose payment was never created (a crash between our answer and the payment). A timeout alone
 * frees none of them. Payments is asked, and first stores `void` under the id, so that the payment can no longer be created; only
 * then is the claim freed here (CLAIM-8). A payment that exists is recorded and not asked about again.
 */
@Injectable()
export class PaymentSweep extends DueLane {
  readonly name = 'payment_checks';

  constructor(
    private readonly database: Database,
    private readonly services: ServiceClient,
    private readonly endDebit: EndDebit,
    private readonly log: Log,
  ) {
    super();
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestCheck(this.database, before);
  }

  async run(now: Date): Promise<number> {
    const until = new Date(now.getTime() + ASK_AGAIN_MS);
    const held = await leaseChecks(this.database, now, until, MOST_AT_ONCE);
    if (held.length === 0) return 0;
    await passFaultPoint('mandates.sweep.leased');
    await this.settle(held, until);
    return held.length;
  }

  private async settle(held: readonly Unchecked[], until: Date): Promise<void> {
    const payment_ids = [...new Set(held.map(({ payment_id }) => payment_id))];
    const { results } = await this.services.call('payments', {
      method: 'POST',
      path: '/internal/payments/resolve',
      body: { payment_ids },
      answer: resolveAnswer,
      retry: true,
    });
    await passFaultPoint('mandates.sweep.resolved');
    const kinds = new Map(results.map((result) => [result.payment_id, result.kind]));
    const living = payment_ids.filter((id) => kinds.get(id) === 'payment');
    await markKnown(this.database, living, until);
    for (const one of held) if (kinds.get(one.payment_id) === 'void') await this.free(one);
  }

  private async free({ tenant, payment_id, mandate_id, holds }: Unchecked): Promise<void> {
    const freed =
      holds === 'debit'
        ? await this.endDebit.release({ tenant, payment_id })
        : await freeAuthorisation(this.database, tenant, mandate_id, payment_id);
    this.log.info('freed the claim of a payment that was never created', {
      tenant,
      payment_id,
      mandate_id,
      holds,
      freed,
    });
  }
}
