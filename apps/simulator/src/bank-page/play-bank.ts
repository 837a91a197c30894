import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { capture, decline } from '../provider-payment/provider-payment.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';

/** What the investor does on the bank's page. It changes only the simulated Razorpay, which then sends us its webhook. */
@Injectable()
export class PlayBank {
  constructor(private readonly db: Database) {}

  /**
   * Does nothing when the attempt has ended (a second click) or another attempt has paid the order. Returns the attempt afterwards, or
   * null when it is unknown.
   */
  execute(attemptId: string, action: 'approve' | 'decline'): Promise<SdkPaymentRow | null> {
    return this.db.transaction(async (tx) => {
      const found = await store.attempts.find(tx, { id: attemptId });
      const order = found && (await store.sdkOrders.find(tx, { id: found.order_id }));
      const row = order && (await store.payments.lock(tx, { reference: order.reference }));
      const attempt = row && (await store.attempts.find(tx, { id: attemptId }));
      if (attempt?.status !== 'created' || row?.status !== 'awaiting_payer') return attempt ?? null;
      const next =
        action === 'approve'
          ? capture(row, await nextProviderReference(tx))
          : decline(row, 'user_cancelled', "The payment was cancelled on the bank's page");
      await savePayment(tx, next, attemptId);
      return store.attempts.find(tx, { id: attemptId });
    });
  }
}
