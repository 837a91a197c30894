import { istDate } from '@fundrail/contracts';
import type { OrderGateway } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { checkOf, findings, numbersIn, RowsCheck } from '@fundrail/service-kit/reconciliation';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { gatewayDue } from '../order/order-due.ts';
import { payoutDayOf } from '../order/payout-day.ts';
import { pageOfUnpaid, unpaidRedemptions, type UnpaidRedemption } from './standing.repository.ts';

/**
 * Finds redemptions that were not paid out by the end of their last day (ORD-37), where the gateway reports payouts. An object is an
 * order's number.
 */
export const payoutsCheck = checkOf(
  RowsCheck<UnpaidRedemption>,
  [Database, ORDER_GATEWAY],
  (db: Database, gateway: OrderGateway) => ({
    name: 'payouts',
    rows: async (after: string) => (gateway.payouts === true ? pageOfUnpaid(db, Number(after)) : []),
    placeOf: ({ old_id }: UnpaidRedemption) => old_id,
    named: (found) => unpaidRedemptions(db, numbersIn(found)),
    compare: async (orders) => {
      const today = istDate(await db.now());
      return orders.flatMap((row) => {
        const { old_id, id: order, tenant, plan } = row;
        const payout_due_date = payoutDayOf(row);
        return findings(
          { object: String(old_id), tenant, facts: { order, plan } },
          { payout_overdue: payout_due_date !== null && payout_due_date < today && { payout_due_date } },
        );
      });
    },
    // The callback may be lost: the gateway is asked. A payout that it has not made is a person's question to the fund house.
    repair: async ({ tenant, facts: { order, plan } }) => {
      if (tenant === null) return false;
      const { status } = gatewayDue({ plan: plan === null ? null : String(plan) });
      await scheduleDue(db, { kind: status, key: String(order), tenant, due_at: await db.now() });
      return true;
    },
  }),
);
