import { Pool } from 'undici';
import { drive, type LoadResult } from '../lib/load.ts';
import type { Load } from './contender.ts';

/** Sends one creation of a payment for each order, with `clients` connections kept open. */
export function driveCreations(
  pool: Pool,
  investor: { readonly token: string; readonly bankAccountId: number },
  orders: readonly number[],
  load: Load,
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${investor.token}`, 'content-type': 'application/json' };
  const bodyFor = (order: number | undefined) =>
    JSON.stringify({
      amc_order_ids: [order],
      payment_postback_url: 'https://buyer.example.com/paid',
      method: 'UPI',
      upi: { type: 'URI' },
      bank_account_id: investor.bankAccountId,
    });
  return drive({
    ...load,
    request: async (index) => {
      const answer = await pool.request({
        method: 'POST',
        path: '/api/pg/payments/netbanking',
        headers,
        body: bodyFor(orders[index]),
      });
      await answer.body.dump();
      return answer.statusCode === 200;
    },
  });
}
