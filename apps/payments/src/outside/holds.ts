import { Injectable } from '@nestjs/common';
import type { PaymentRow } from '../payment/payment.entity.ts';
import { OrderClaims } from './claims-client.ts';
import { Mandates } from './mandates-client.ts';

/** A payment, made or never made, by what it may hold at the neighbours. */
export type Holding = Pick<PaymentRow, 'id' | 'tenant' | 'payment_type' | 'mandate_id'>;

/** What a payment holds at the neighbours: its orders, a mandate's running authorisation, a debit's admission. */
@Injectable()
export class Holds {
  constructor(
    private readonly claims: OrderClaims,
    private readonly mandates: Mandates,
  ) {}

  /** Gives up all that this payment holds; only for an id that is void or whose payment is dead. Rejects without an answer. */
  async release({ id: payment_id, tenant, payment_type, mandate_id }: Holding): Promise<void> {
    switch (payment_type) {
      case 'NETBANKING':
        return this.claims.release(tenant, payment_id);
      case 'AUTH_TRANSACTION':
        if (mandate_id !== null) await this.mandates.releaseAuthorisation({ tenant, mandate_id, payment_id });
        return;
      case 'NACH':
        await this.mandates.releaseDebit({ tenant, payment_id });
        return this.claims.release(tenant, payment_id);
      default:
        return payment_type satisfies never;
    }
  }
}
