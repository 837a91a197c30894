import type { PaymentFailureCode } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { Holds } from '../outside/holds.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { failPayment, isDead } from '../payment/payment.ts';
import { ChangeCollection } from './change-collection.ts';
import { decided, isUnanswered, still } from './collection.ts';

/**
 * Ends a payment whose creation was never answered, or was refused by the provider. The client did not receive a way to pay, so the
 * payment fails with `pg_server_error` or the refusal's code, and its orders are released immediately (PAY-13, PAY-14). The row's
 * lock ensures that a creation is either answered or given up, never both.
 */
@Injectable()
export class GiveUpCreation {
  constructor(
    private readonly change: ChangeCollection,
    private readonly holds: Holds,
    private readonly log: Log,
  ) {}

  /** Changes nothing when the creation was answered. Returns whether the payment is dead. */
  async execute(key: PaymentKey, code: PaymentFailureCode = 'pg_server_error'): Promise<boolean> {
    const { tenant, id } = key;
    const after = await this.change.execute(key, (row, tx) =>
      isUnanswered(row) ? decided(row, failPayment(row, 'fail', code, tx.now)) : still(row),
    );
    if (!after || !isDead(after.status)) return false;
    try {
      await this.holds.release(after);
    } catch (error) {
      this.log.error('the claim was not released; the event of the failure will release it', error, {
        tenant,
        payment_id: id,
      });
    }
    return true;
  }
}
