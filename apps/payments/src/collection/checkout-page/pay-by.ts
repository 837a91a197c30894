import { isBusinessDay, istDate, istInstant, type Holidays } from '@fundrail/contracts';
import { expectedNavDate } from '@fundrail/policies';
import { GATEWAYPOA_MONEY_BY } from '@fundrail/providers';
import type { Payment } from '../../payment/payment.ts';

/** Until when (`HH:MM`, IST, today) the investor pays for the NAV of which day. */
export interface PayBy {
  readonly time: string;
  readonly nav_date: string;
}

/** What holds for all orders of the payment. Null where they differ, where a category is not known, and once that time is over today. */
export function payByOf({ orders }: Pick<Payment, 'orders'>, now: Date, holidays: Holidays): PayBy | null {
  const today = istDate(now);
  if (!isBusinessDay(today, holidays)) return null;
  const all = orders.map(({ scheme_category: category }): PayBy | null => {
    if (!category) return null;
    const time = GATEWAYPOA_MONEY_BY[category];
    const at = istInstant(today, time);
    if (now.getTime() > at.getTime()) return null;
    const nav_date = expectedNavDate({ category, accepted: now, funds: { at, by: time } }, holidays);
    return nav_date === null ? null : { time, nav_date };
  });
  const [first = null] = all;
  return all.every((one) => one?.time === first?.time && one?.nav_date === first?.nav_date) ? first : null;
}
