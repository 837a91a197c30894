import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { capture, decline } from '../provider-payment/provider-payment.ts';
import { lockPayment, nextProviderReference } from '../provider-payment/provider-payment.repository.ts';
import { savePayment } from '../provider-payment/save-payment.ts';
import { findOrder } from '../sdkvendor/sdk-order.repository.ts';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';
import { findAttempt } from '../sdkvendor/sdk-payment.repository.ts';

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
      const found = await findAttempt(tx, attemptId);
      const order = found && (await findOrder(tx, found.order_id));
      const row = order && (await lockPayment(tx, order.reference));
      const attempt = row && (await findAttempt(tx, attemptId));
      if (attempt?.status !== 'created' || row?.status !== 'awaiting_payer') return attempt ?? null;
      const next =
        action === 'approve'
          ? capture(row, await nextProviderReference(tx))
          : decline(row, 'user_cancelled', "The payment was cancelled on the bank's page");
      await savePayment(tx, next, attemptId);
      return findAttempt(tx, attemptId);
    });
  }
}
