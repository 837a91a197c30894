import { Decimal } from '@fundrail/contracts';
import type { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { store } from '../store/simulator.tables.ts';
import { razorpayId } from './razorpay-id.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { isSameRefund, toRefundObject, type SdkRefundRow } from './sdk-refund.ts';

/** Due kind of a refund's end; the key is its id. */
export const PROCESS_SDK_REFUND = 'process_sdk_refund';

const refused = (description: string) => new RazorpayRefusal('input_validation_failed', description);

/** Accepts a refund of a captured attempt, up to the received amount in total. The same `x-refund-idempotency` has one effect. */
@Injectable()
export class MakeRefund {
  constructor(private readonly db: Database) {}

  execute(paymentId: string, request: sdkvendorWire.RefundRequest, key: string | null) {
    return this.db.transaction(async (tx) => {
      const { order_id } = existing(await store.attempts.find(tx, { id: paymentId }));
      const { reference } = existing(await store.sdkOrders.find(tx, { id: order_id }));
      // Refunds of one order wait for each other, and are summed again under its lock.
      existing(await store.payments.lock(tx, { reference }));
      const attempt = existing(await store.attempts.find(tx, { id: paymentId }));
      const left = attempt.amount.minus(attempt.refunded);
      const amount = request.amount === undefined ? left : Decimal.ofPaise(request.amount);
      const row: SdkRefundRow = {
        ...{ id: razorpayId('rfnd'), payment_id: paymentId, tenant: attempt.tenant, amount },
        ...{ receipt: request.receipt ?? null, idempotency_key: key, notes: request.notes ?? [] },
        ...{ status: 'pending', created_at: tx.now },
      };
      const before = key === null ? null : await sameAsBefore(tx, key, row);
      if (before) return toRefundObject(before);
      if (attempt.status !== 'captured')
        throw refused('The payment status should be captured for action to be taken');
      if (amount.toPaise() === 0) throw refused('The payment has been fully refunded already');
      if (amount.compare(left) > 0)
        throw refused('The total refund amount is greater than the refund payment amount');
      await store.sdkRefunds.insert(tx, row);
      await scheduleDue(tx, { kind: PROCESS_SDK_REFUND, key: row.id, tenant: row.tenant, due_at: tx.now });
      return toRefundObject(row);
    });
  }
}

async function sameAsBefore(tx: Tx, key: string, row: SdkRefundRow): Promise<SdkRefundRow | null> {
  const before = await store.sdkRefunds.find(tx, { idempotency_key: key });
  if (before && !isSameRefund(before, row))
    throw refused('Different request with the same idempotency key has already been processed.');
  return before;
}
