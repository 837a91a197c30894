import type { PaymentFailureCode } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { nextProviderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { capture, decline, pageState, type PageState } from './provider-payment.ts';
import { savePayment } from './save-payment.ts';

const DECLINED: PaymentFailureCode = 'user_cancelled';

/** What the investor does in the sandbox's UPI app. It changes only the simulated provider, which then sends us its callback. */
@Injectable()
export class PlayInvestor {
  constructor(private readonly db: Database) {}

  /**
   * Does nothing when the request is no longer waiting (a second click). Returns the state afterwards, or null when the payment is
   * unknown.
   */
  execute(paymentId: number, action: 'approve' | 'decline'): Promise<PageState | null> {
    return this.db.transaction(async (tx) => {
      const row = await store.payments.lock(tx, { payment_id: paymentId });
      // An investor is not asked to approve a debit.
      if (!row || row.kind === 'debit') return null;
      if (pageState(row, tx.now) !== 'waiting') return pageState(row, tx.now);
      const next =
        action === 'approve'
          ? capture(row, await nextProviderReference(tx))
          : decline(row, DECLINED, 'The investor declined the payment in the UPI app');
      await savePayment(tx, next);
      return pageState(next, tx.now);
    });
  }
}
