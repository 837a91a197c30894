import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { stepMandate } from '../mandate/mandate.ts';
import type { MandateRow } from '../mandate/mandate.ts';
import {
  deleteMandate,
  drawNames,
  lockMandateOfToken,
  updateMandate,
} from '../mandate/mandate.repository.ts';
import { noSuchId, RazorpayRefusal } from './razorpay-refusal.ts';
import { tellToken } from './sdk-token.ts';

/** Ends a token because the merchant asks for it. Razorpay tells of that, too. */
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
    forget = false,
  ): Promise<void> {
    return this.db.transaction(async (tx) => {
      const row = await lockMandateOfToken(tx, token);
      if (row?.customer_id !== customerId || row.deleted) throw noSuchId();
      check(row);
      if (row.status === 'active' || row.status === 'paused') {
        const ended = stepMandate(row, 'revoke', drawNames(row));
        await updateMandate(tx, ended);
        await tellToken(tx, ended, 'revoke');
      }
      if (forget) await deleteMandate(tx, token);
    });
  }
}
