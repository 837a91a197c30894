import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { findPayment } from './payment.repository.ts';
import { isDead } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

/**
 * `payment.free_orders`: releases the claims of orders whose share was given back while the payment continues with the others. The
 * event of a payment's failure releases all its claims.
 */
@Injectable()
@HandlesDue('payment.free_orders')
export class FreeOrders {
  constructor(
    private readonly claims: OrderClaims,
    private readonly database: Database,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, tenant, Number(key));
    if (!payment || isDead(payment.status)) return 'done';
    const freed = sharesGivenBack(payment).map((share) => share.old_id);
    if (freed.length > 0) await this.claims.release(tenant, payment.id, freed);
    return 'done';
  }
}
