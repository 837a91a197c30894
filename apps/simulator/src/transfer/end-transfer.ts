import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { recordCallback } from '../callback/callback.repository.ts';
import { lockOrders, markOrdersPaid } from '../gateway-order/gateway-order.repository.ts';
import { refuseMoney } from '../gateway-order/gateway-order.ts';
import { askRegistrarWhenReady, saveOrder } from '../gateway-order/save-order.ts';
import { lockPayment } from '../provider-payment/provider-payment.repository.ts';
import { endTransfer, toTransferObject, type TransferRow } from './transfer.ts';
import { findTransfer, lockTransfer, updateTransfer } from './transfer.repository.ts';

/** Settles or rejects a transfer. After settlement, the registrar can process the orders. Locks the payment first, to avoid deadlocks. */
@Injectable()
export class EndTransfer {
  async execute(tx: Tx, reference: string): Promise<void> {
    const found = await findTransfer(tx, reference);
    const payment = found && (await lockPayment(tx, found.payment_reference));
    const row = payment && (await lockTransfer(tx, reference));
    const next = row && endTransfer(row, payment);
    if (!next) return;
    await updateTransfer(tx, next);
    const { tenant } = next;
    const object = toTransferObject(next);
    await recordCallback(tx, { tenant, topic: 'payments', event: 'transfer.updated', reference, object });
    if (next.status === 'settled') await this.payOrders(tx, next);
    else await this.refuseOrders(tx, next);
  }

  private async payOrders(tx: Tx, transfer: TransferRow): Promise<void> {
    const references = transfer.shares.map((share) => share.order);
    for (const order of await markOrdersPaid(tx, transfer.tenant, references))
      await askRegistrarWhenReady(tx, order);
  }

  private async refuseOrders(tx: Tx, transfer: TransferRow): Promise<void> {
    const references = transfer.shares.map((share) => share.order);
    for (const order of await lockOrders(tx, transfer.tenant, references)) {
      const refused = refuseMoney(order);
      if (refused) await saveOrder(tx, refused);
    }
  }
}
