import { paymentFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import { ORDER } from '../order/order.aggregate.ts';
import { findOrder } from '../order/order.repository.ts';
import { awaitsPayment, confirmPaid } from './purchase-installment.ts';

/** How soon payments is asked again about a payment that is being created. */
const ASK_AGAIN_MS = 500;

/**
 * Confirms an installment that a payment of the client has claimed (SIP-26). The claim comes before the payment, so payments is asked
 * whether it exists. A claim whose payment is never created is released (CLAIM-8), and this work is then over.
 */
@Injectable()
export class ConfirmInstallment {
  constructor(
    private readonly database: Database,
    private readonly services: ServiceClient,
  ) {}

  @HandlesDue(ORDER_DUE.confirm)
  async confirm({ tenant, key: id }: DueWork): Promise<DueResult> {
    const found = await findOrder(this.database, tenant, 'purchase', { id });
    if (!found || !awaitsPayment(found) || found.claimed_by === null) return 'done';
    const payment = found.claimed_by;
    const facts = await this.services.find('payments', `/internal/payments/${payment}`, paymentFacts);
    if (!facts) return { again: new Date((await this.database.now()).getTime() + ASK_AGAIN_MS) };
    // The release of a dead payment's claim is on its way.
    if (facts.status === 'FAILED' || facts.status === 'REJECTED') return 'done';
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await ORDER.lock(tx, tenant, id);
      const step = row && confirmPaid(row, payment, tx.now);
      if (step) await ORDER.record(tx, row, step);
      await passFaultPoint('orders.confirm_installment.before_commit');
      // Another payment may have replaced this one in the meantime.
      return row && !step && awaitsPayment(row) ? { again: tx.now } : 'done';
    });
  }
}
