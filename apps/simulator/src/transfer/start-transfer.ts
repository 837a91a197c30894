import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { store } from '../store/simulator.tables.ts';
import { toTransferObject, totalPaise, type TransferRow } from './transfer.ts';

/** Due kind of a transfer's end; the key is its reference. */
export const SETTLE_TRANSFER = 'settle_transfer';

/** Starts a transfer of received money, up to the received amount. A repeated reference returns the transfer's current state. */
@Injectable()
export class StartTransfer {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.TransferRequest): Promise<gatewaypoaWire.TransferObject> {
    const { reference, payment_reference, shares } = request;
    return this.db.transaction(async (tx) => {
      const payment = known(
        await store.payments.lock(tx, { reference: payment_reference }),
        payment_reference,
      );
      const before = await store.transfers.find(tx, { reference });
      if (before) return sameTransfer(before, request);
      if (payment.status !== 'captured')
        throw new GatewayRefusal(422, 'not_captured', 'the payment has not been paid');
      if (totalPaise(shares) > payment.amount.toPaise())
        throw new GatewayRefusal(422, 'amount_exceeded', 'the shares exceed the received amount');
      const { tenant } = payment;
      const row: TransferRow = {
        ...{ reference, payment_reference, tenant, shares },
        ...{ status: 'processing', failure_code: null, created_at: tx.now },
      };
      await store.transfers.insertOnce(tx, row);
      await scheduleDue(tx, { kind: SETTLE_TRANSFER, key: reference, tenant, due_at: tx.now });
      return toTransferObject(row);
    });
  }
}

function sameTransfer(
  before: TransferRow,
  request: gatewaypoaWire.TransferRequest,
): gatewaypoaWire.TransferObject {
  const isSame =
    before.payment_reference === request.payment_reference &&
    totalPaise(before.shares) === totalPaise(request.shares);
  mustBeSame(isSame, 'reference belongs to another transfer');
  return toTransferObject(before);
}
