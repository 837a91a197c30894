import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { stepMandate, type MandateRow } from '../mandate/mandate.ts';
import { drawNames } from '../mandate/draw-names.ts';
import { store } from '../store/simulator.tables.ts';
import { existing, RazorpayRefusal } from './razorpay-refusal.ts';
import { reportToken } from './sdk-token.ts';

/** Ends a token at the merchant's request. Razorpay sends a webhook for that, too. */
@Injectable()
export class EndToken {
  constructor(private readonly db: Database) {}

  async cancel(customerId: string, token: string) {
    await this.end(customerId, token, (row) => {
      const lives = row.status === 'active' || row.status === 'paused';
      if (!lives) throw new RazorpayRefusal('input_validation_failed', `The token is ${row.status}`);
    });
    return { status: 'cancellation_initiated' };
  }

  async delete(customerId: string, token: string) {
    await this.end(customerId, token, () => undefined, true);
    return { deleted: true };
  }

  private end(
    customerId: string,
    token: string,
    check: (row: MandateRow) => void,
    isDeleted = false,
  ): Promise<void> {
    return this.db.transaction(async (tx) => {
      const row = existing(await store.mandates.lock(tx, { token, customer_id: customerId, deleted: false }));
      check(row);
      if (row.status === 'active' || row.status === 'paused') {
        const ended = stepMandate(row, 'revoke', drawNames(row));
        await store.mandates.save(tx, ended);
        await reportToken(tx, ended, 'revoke');
      }
      if (isDeleted) await store.mandates.update(tx, { token }, { deleted: true });
    });
  }
}
