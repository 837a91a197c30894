import { Injectable } from '@nestjs/common';
import type { PaymentRow } from '../payment/payment.tables.ts';
import { OrderClaims } from './claims-client.ts';
import { Mandates } from './mandates-client.ts';

/** The fields that identify what a payment, created or not, may hold in other services. */
export type Holding = Pick<PaymentRow, 'id' | 'tenant' | 'payment_type' | 'mandate_id'>;

/** What a payment holds in other services: its orders, a mandate's running authorisation, a debit's admission. */
@Injectable()
export class Holds {
  constructor(
    private readonly claims: OrderClaims,
    private readonly mandates: Mandates,
  ) {}

  /** Releases everything that this dead payment holds. Rejects when there is no answer. */
  release(held: Holding): Promise<void> {
    return this.giveUp(held, () => this.claims.release(held.tenant, held.id));
  }

  /** Releases everything that a void id holds; no order names it afterwards. */
  releaseVoid(held: Holding): Promise<void> {
    return this.giveUp(held, () => this.claims.releaseVoid(held.tenant, held.id));
  }

  private async giveUp(
    { id: payment_id, tenant, payment_type, mandate_id }: Holding,
    freeOrders: () => Promise<void>,
  ): Promise<void> {
    switch (payment_type) {
      case 'NETBANKING':
        return freeOrders();
      case 'AUTH_TRANSACTION':
        if (mandate_id !== null) await this.mandates.releaseAuthorisation({ tenant, mandate_id, payment_id });
        return;
      case 'NACH':
        await this.mandates.releaseDebit({ tenant, payment_id });
        return freeOrders();
      default:
        return payment_type satisfies never;
    }
  }
}
