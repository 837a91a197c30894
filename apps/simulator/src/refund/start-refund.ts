import { Decimal } from '@fundrail/contracts';
import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { receivedOf } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { isCovered, isSameRefund, toRefundObject, type RefundRow } from './refund.ts';

/** Due kind of a refund's end; the key is its reference. */
export const PROCESS_REFUND = 'process_refund';

/** Accepts a refund, up to the received amount in total. A repeated reference returns the refund's current state. */
@Injectable()
export class StartRefund {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.RefundRequest): Promise<gatewaypoaWire.RefundObject> {
    const { reference, payment_reference } = request;
    return this.db.transaction(async (tx) => {
      const payment = known(
        await store.payments.lock(tx, { reference: payment_reference }),
        payment_reference,
      );
      const before = await store.refunds.find(tx, { reference });
      if (before) {
        mustBeSame(isSameRefund(before, request), 'reference belongs to another refund');
        return toRefundObject(before);
      }
      if (payment.status !== 'captured')
        throw new GatewayRefusal(422, 'not_captured', 'the payment has not been paid');
      const amount = Decimal.ofPaise(request.amount_paise);
      const earlier = await store.refunds.list(
        tx,
        { payment_reference, status: { not: 'failed' } },
        't.created_at',
      );
      const refunded = Decimal.sum(earlier.map((refund) => refund.amount));
      if (!isCovered(receivedOf(payment), refunded, amount))
        throw new GatewayRefusal(422, 'amount_exceeded', 'the refunds would exceed the received amount');
      const { tenant } = payment;
      const row: RefundRow = {
        ...{ reference, payment_reference, tenant, amount },
        ...{ status: 'processing', failure_code: null, created_at: tx.now },
      };
      await store.refunds.insert(tx, row);
      await scheduleDue(tx, { kind: PROCESS_REFUND, key: reference, tenant, due_at: tx.now });
      return toRefundObject(row);
    });
  }
}
