import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { Tx } from '@fundrail/persistence';
import { capture, captureAgain, decline, reopenPayment } from '../provider-payment/provider-payment.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import { NEWEST } from '../sdkvendor/listing.ts';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { bankFault } from './debit.ts';
import { ANSWER_DEBIT } from './open-debit.ts';

/**
 * The bank responds to a started attempt, unless a test has simulated its response meanwhile. When a debit was started twice at Razorpay,
 * the bank responds to each attempt, and both may succeed.
 */
@Injectable()
@HandlesDue(ANSWER_DEBIT)
export class AnswerDebit {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.payments.lock(tx, { reference: work.key });
      if (row?.kind !== 'debit') return 'done';
      const isAnswered = row.status !== 'awaiting_payer';
      if (isAnswered && !(await isStartedTwice(tx, row))) return 'done';
      const fault = bankFault(row.amount);
      const reference = await nextProviderReference(tx);
      const paid = row.status === 'captured' ? captureAgain(row, reference) : capture(row, reference);
      await savePayment(tx, fault ? declined(row, fault) : paid);
      return (await isStartedTwice(tx, row)) ? { again: tx.now } : 'done';
    });
  }
}

function declined(row: ProviderPaymentRow, { code, message }: NonNullable<ReturnType<typeof bankFault>>) {
  const { upi_uri, vpa, expires_at } = row;
  return decline(reopenPayment(row, { upi_uri, vpa, expires_at }), code, message);
}

/** Whether an attempt under this payment's order still has no response. At most two attempts succeed. */
async function isStartedTwice(tx: Tx, { provider, reference }: ProviderPaymentRow): Promise<boolean> {
  if (provider !== 'sdkvendor') return false;
  const order = await store.sdkOrders.find(tx, { reference });
  const attempts = order ? await store.attempts.list(tx, { order_id: order.id }, NEWEST) : [];
  const captured = attempts.filter(({ status }) => status === 'captured').length;
  return captured < 2 && attempts.some(({ status }) => status === 'created');
}
