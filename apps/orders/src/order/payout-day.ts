import type { Holidays } from '@fundrail/contracts';
import { payoutDueDate, type TradedRedemption } from '@fundrail/policies';
import { ORDER_HOLIDAYS } from './order-holidays.ts';
import type { MfOrder } from './order.table.ts';

type Redemption = Readonly<
  Pick<MfOrder, 'state' | 'traded_on' | 'is_overseas' | 'payout_due_date' | 'paid_out_at'>
>;

/** The columns of a processed redemption that its payout is due by (ORD-37). */
export function firstPayoutDay(
  redemption: TradedRedemption,
): Pick<Redemption, 'payout_due_date' | 'is_overseas'> {
  const { is_overseas } = redemption;
  return { is_overseas, payout_due_date: payoutDueDate(redemption, ORDER_HOLIDAYS) };
}

/**
 * The last IST day on which the payout is in time (ORD-37): by the holidays of today, because the fund house counts the days that were
 * working days. After the payout and after a reversal the stored day stays, and so it does where `is_overseas` is unknown.
 */
export function payoutDayOf(row: Redemption, holidays: Holidays = ORDER_HOLIDAYS): string | null {
  const { state, traded_on, is_overseas, payout_due_date, paid_out_at } = row;
  if (payout_due_date === null || paid_out_at !== null || state !== 'successful') return payout_due_date;
  if (traded_on === null || is_overseas === null) return payout_due_date;
  // An override may leave the policy without a rule for that day: what clients were given stays.
  return payoutDueDate({ traded_on, is_overseas }, holidays) ?? payout_due_date;
}
