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

/** Of each of the two tables; together at most what `/internal/payments/resolve` takes. */
const MOST_AT_ONCE = 250;
/** When payments did not answer, or this process died in between, the same ones are asked about again after this. */
const ASK_AGAIN_MS = 60_000;

/**
 * Finds authorisations and debits whose payment never came to be (a crash between our answer and the payment). No time-out
 * frees one: payments is asked, and writes `void` under the id first, so that the payment cannot come to be any more; only
 * then is it freed here (architecture §11). A payment that exists is noted, and never asked about again.
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
        ? await this.endDebit.release(tenant, payment_id)
        : await freeAuthorisation(this.database, tenant, mandate_id, payment_id);
    this.log.info('what a payment that never came to be held was freed', {
      tenant,
      payment_id,
      mandate_id,
      holds,
      freed,
    });
  }
}
