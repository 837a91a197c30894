import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { HeldSteps } from '../hold/held-steps.ts';
import { store } from '../store/simulator.tables.ts';
import { decideOutcome, decidePayout, decideReview, type GatewayOrderRow } from './gateway-order.ts';
import { ASK_REGISTRAR, PAY_OUT, REVIEW_ORDER, saveOrder } from './save-order.ts';

/** The automatic steps of the gateway and the registrar. They run as soon as no hold stops them. */
@Injectable()
export class OrderSteps {
  constructor(
    private readonly db: Database,
    private readonly held: HeldSteps,
  ) {}

  @HandlesDue(REVIEW_ORDER)
  async review(work: DueWork): Promise<DueResult> {
    if (await this.held.keeps('hold_review', work)) return 'done';
    return this.step(work, decideReview);
  }

  @HandlesDue(ASK_REGISTRAR)
  async askRegistrar(work: DueWork): Promise<DueResult> {
    if (await this.held.keeps('hold_registrar', work)) return 'done';
    return this.step(work, (row, tx) => decideOutcome(row, tx.now));
  }

  @HandlesDue(PAY_OUT)
  payOut(work: DueWork): Promise<DueResult> {
    return this.step(work, (row, tx) => decidePayout(row, tx.now));
  }

  private step(
    work: DueWork,
    decide: (row: GatewayOrderRow, tx: Tx) => GatewayOrderRow | null,
  ): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.orders.lock(tx, { reference: work.key });
      const next = row && decide(row, tx);
      if (next) await saveOrder(tx, next);
      return 'done';
    });
  }
}
