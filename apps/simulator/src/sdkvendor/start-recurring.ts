import { Decimal } from '@fundrail/contracts';
import { ORDER_ALREADY_PAID, type sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { openDebit } from '../debit/open-debit.ts';
import type { MandateRow } from '../mandate/mandate.ts';
import { debitFault } from '../mandate/npci.ts';
import { store } from '../store/simulator.tables.ts';
import { razorpayId } from './razorpay-id.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import type { SdkOrderRow } from './sdk-order.ts';
import { newAttempt, type SdkPaymentRow } from './sdk-payment.ts';

type Request = sdkvendorWire.RecurringRequest;

/** Starts a debit of a token under an order, if NPCI and the bank allow it. An immediate refusal creates no payment. */
@Injectable()
export class StartRecurring {
  constructor(private readonly db: Database) {}

  async execute(request: Request): Promise<{ razorpay_payment_id: string; razorpay_order_id: string }> {
    const { id, order_id } = await this.db.transaction((tx) => begin(tx, request));
    return { razorpay_payment_id: id, razorpay_order_id: order_id };
  }
}

async function begin(tx: Tx, request: Request): Promise<SdkPaymentRow> {
  const { token, customer_id } = request;
  const mandate = existing(await store.mandates.lock(tx, { token, customer_id }));
  const order = existing(await store.sdkOrders.find(tx, { id: request.order_id }));
  const payment = existing(await store.payments.lock(tx, { reference: order.reference }));
  const amount = Decimal.ofPaise(request.amount);
  if (!amount.equals(order.amount))
    throw new RazorpayRefusal('input_validation_failed', 'Payment amount is different from the order amount');
  if (payment.status === 'captured')
    throw new RazorpayRefusal(ORDER_ALREADY_PAID, 'This order has already been paid');
  const notice = await store.notices.find(tx, { notice_reference: order.id });
  // Razorpay does not document that it refuses a second attempt while one is open, so our code must not rely on it.
  const fault = debitFault({ mandate, amount, notice, isPaid: false, isOpen: false }, tx.now);
  if (fault) throw new RazorpayRefusal('input_validation_failed', fault.message);
  const attempt = attemptOf(request, order, mandate, tx.now);
  await store.attempts.insert(tx, attempt);
  const execute_at = (notice?.execute_at ?? tx.now).toISOString();
  const { reference: payment_reference, payment_id, tenant } = payment;
  const debit = { provider: 'sdkvendor' as const, payment_reference, payment_id, tenant, amount, execute_at };
  await openDebit(tx, debit, payment);
  return attempt;
}

function attemptOf(
  request: Request,
  { id: order_id, tenant, amount, currency }: SdkOrderRow,
  mandate: MandateRow,
  created_at: Date,
): SdkPaymentRow {
  return newAttempt({
    ...{ id: razorpayId('pay'), order_id, tenant, amount, currency, created_at },
    ...{ method: mandate.mandate_type === 'UPI' ? 'upi' : 'emandate', notes: request.notes ?? [] },
    ...{ email: request.email ?? null, contact: request.contact == null ? null : String(request.contact) },
  });
}
