import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { Holds } from '../outside/holds.ts';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { failPayment, isDead, isUnanswered, unchanged } from './payment.ts';

/**
 * Ends a payment whose creation was never answered: nobody was told where to pay, so it fails `pg_server_error`, and its
 * orders are free at once (contract §10 "Payments"). Decided under the row's lock: of an answer and the end one comes true.
 */
@Injectable()
export class GiveUpCreation {
  constructor(
    private readonly change: ChangePayment,
    private readonly holds: Holds,
    private readonly log: Log,
  ) {}

  /** Changes nothing once it was answered. Answers whether the payment is dead now. */
  async execute(key: PaymentKey): Promise<boolean> {
    const { tenant, id } = key;
    const after = await this.change.execute(key, (row, tx) =>
      isUnanswered(row) ? failPayment(row, 'fail', 'pg_server_error', tx.now) : unchanged(row),
    );
    if (!after || !isDead(after.status)) return false;
    try {
      await this.holds.release(after);
    } catch (error) {
      this.log.error('the claim is left to the event of the failure', error, { tenant, payment_id: id });
    }
    return true;
  }
}
