import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { lockPayment } from '../provider-payment/provider-payment.repository.ts';
import { toTransferObject, totalPaise, type TransferRow } from './transfer.ts';
import { findTransfer, insertTransfer, SETTLE_TRANSFER } from './transfer.repository.ts';

/** Starts a transfer of received money, up to the received amount. A repeated reference returns the transfer's current state. */
@Injectable()
export class StartTransfer {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.TransferRequest): Promise<gatewaypoaWire.TransferObject> {
    const { reference, payment_reference, shares } = request;
    return this.db.transaction(async (tx) => {
      const payment = await lockPayment(tx, payment_reference);
      if (!payment) throw notKnownHere(payment_reference);
      const known = await findTransfer(tx, reference);
      if (known) return sameTransfer(known, request);
      if (payment.status !== 'captured')
        throw new GatewayRefusal(422, 'not_captured', 'the payment has not been paid');
      if (totalPaise(shares) > payment.amount.toPaise())
        throw new GatewayRefusal(422, 'amount_exceeded', 'the shares exceed the received amount');
      const { tenant } = payment;
      const row: TransferRow = {
        ...{ reference, payment_reference, tenant, shares },
        ...{ status: 'processing', failure_code: null, created_at: tx.now },
      };
      await insertTransfer(tx, row);
      await scheduleDue(tx, { kind: SETTLE_TRANSFER, key: reference, tenant, due_at: tx.now });
      return toTransferObject(row);
    });
  }
}

function sameTransfer(
  known: TransferRow,
  request: gatewaypoaWire.TransferRequest,
): gatewaypoaWire.TransferObject {
  if (
    known.payment_reference !== request.payment_reference ||
    totalPaise(known.shares) !== totalPaise(request.shares)
  )
    throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another transfer');
  return toTransferObject(known);
}
