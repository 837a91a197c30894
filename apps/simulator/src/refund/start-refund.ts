import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { lockPayment } from '../provider-payment/provider-payment.repository.ts';
import { receivedOf } from '../provider-payment/provider-payment.ts';
import { isCovered, isSameRefund, toRefundObject, type RefundRow } from './refund.ts';
import { findRefund, insertRefund, PROCESS_REFUND, refundedOf } from './refund.repository.ts';

/** Accepts a refund, up to the received amount in total. A repeated reference returns the refund's current state. */
@Injectable()
export class StartRefund {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.RefundRequest): Promise<gatewaypoaWire.RefundObject> {
    const { reference, payment_reference } = request;
    return this.db.transaction(async (tx) => {
      const payment = await lockPayment(tx, payment_reference);
      if (!payment) throw notKnownHere(payment_reference);
      const known = await findRefund(tx, reference);
      if (known && !isSameRefund(known, request))
        throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another refund');
      if (known) return toRefundObject(known);
      if (payment.status !== 'captured')
        throw new GatewayRefusal(422, 'not_captured', 'the payment has not been paid');
      const amount = Decimal.ofPaise(request.amount_paise);
      if (!isCovered(receivedOf(payment), await refundedOf(tx, payment_reference), amount))
        throw new GatewayRefusal(422, 'amount_exceeded', 'the refunds would exceed the received amount');
      const { tenant } = payment;
      const row: RefundRow = {
        ...{ reference, payment_reference, tenant, amount },
        ...{ status: 'processing', failure_code: null, created_at: tx.now },
      };
      await insertRefund(tx, row);
      await scheduleDue(tx, { kind: PROCESS_REFUND, key: reference, tenant, due_at: tx.now });
      return toRefundObject(row);
    });
  }
}
