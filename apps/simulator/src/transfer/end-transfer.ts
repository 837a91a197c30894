import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { recordCallback } from '../callback/callback.repository.ts';
import { markOrdersPaid } from '../gateway-order/mark-paid.repository.ts';
import { refuseMoney } from '../gateway-order/gateway-order.ts';
import { askRegistrarWhenReady, saveOrder } from '../gateway-order/save-order.ts';
import { store } from '../store/simulator.tables.ts';
import { endTransfer, toTransferObject, type TransferRow } from './transfer.ts';

/** Settles or rejects a transfer. After settlement, the registrar can process the orders. Locks the payment first, to avoid deadlocks. */
@Injectable()
export class EndTransfer {
  async execute(tx: Tx, reference: string): Promise<void> {
    const found = await store.transfers.find(tx, { reference });
    const payment = found && (await store.payments.lock(tx, { reference: found.payment_reference }));
    const row = payment && (await store.transfers.lock(tx, { reference }));
    const next = row && endTransfer(row, payment);
    if (!next) return;
    await store.transfers.save(tx, next);
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
    const { tenant, shares } = transfer;
    const references = shares.map((share) => share.order);
    for (const order of await store.orders.lockAll(tx, { reference: references, tenant })) {
      const refused = refuseMoney(order);
      if (refused) await saveOrder(tx, refused);
    }
  }
}
