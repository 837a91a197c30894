import { Pool } from 'undici';
import { drive, type LoadResult } from '../lib/load.ts';
import type { Load } from './contender.ts';

/** Whose token and bank account a payment is created with. */
interface Payer {
  readonly token: string;
  readonly bankAccountId: number;
}

/** Sends one creation of a payment for each order, by the payers in turn, with `clients` connections kept open. */
export function driveCreations(
  pool: Pool,
  payers: readonly Payer[],
  orders: readonly number[],
  load: Load,
): Promise<LoadResult> {
  return drive({
    ...load,
    request: async (index) => {
      const payer = payers[index % payers.length];
      if (!payer) throw new Error('there is a payer');
      const answer = await pool.request({
        method: 'POST',
        path: '/api/pg/payments/netbanking',
        headers: { authorization: `Bearer ${payer.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          amc_order_ids: [orders[index]],
          payment_postback_url: 'https://buyer.example.com/paid',
          method: 'UPI',
          upi: { type: 'URI' },
          bank_account_id: payer.bankAccountId,
        }),
      });
      await answer.body.dump();
      return answer.statusCode === 200;
    },
  });
}
