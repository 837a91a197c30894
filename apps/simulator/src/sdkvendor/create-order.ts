import type { sdkvendorWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { TenantSettings } from '../hold/tenant-settings.ts';
import { insertPayment } from '../provider-payment/provider-payment.repository.ts';
import { razorpayId } from './razorpay-id.ts';
import { RazorpayRefusal } from './razorpay-refusal.ts';
import { asProviderPayment, newOrder, orderFault, ownerOf, toOrderObject } from './sdk-order.ts';
import type { OrderOwner } from './sdk-order.ts';
import { insertOrder } from './sdk-order.repository.ts';

const NOT_UNIQUE = 'Order receipt should be unique.';

/** Takes an order. A receipt that was given before is refused, as Razorpay does; it knows no idempotency key for orders. */
@Injectable()
export class CreateOrder {
  constructor(
    private readonly db: Database,
    private readonly settings: TenantSettings,
  ) {}

  async execute(request: sdkvendorWire.OrderRequest) {
    const fault = orderFault(request);
    if (fault) throw new RazorpayRefusal('input_validation_failed', fault);
    const owner = ownerOf(request.notes);
    const payee = await this.payeeOf(owner);
    return this.db.transaction(async (tx) => {
      const order = newOrder(razorpayId('order'), request, owner, tx.now);
      const fresh = await insertPayment(tx, asProviderPayment(order, owner, payee));
      if (!fresh || !(await insertOrder(tx, order)))
        throw new RazorpayRefusal('input_validation_failed', NOT_UNIQUE);
      return toOrderObject(order, { paid: false, attempts: 0 });
    });
  }

  /** The account's own name, where the order does not say in whose name we ask for the money. */
  private async payeeOf({ tenant, payment_id }: OrderOwner): Promise<string> {
    return payment_id === null ? 'Sandbox Merchant' : (await this.settings.of(tenant)).settings.operator_name;
  }
}
