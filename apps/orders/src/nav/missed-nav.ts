import type { Log } from '@fundrail/service-kit';
import { missedNavDate } from '../order/expected-nav.ts';
import type { Order } from '../order/order.ts';

/** Logs that a processed order has the NAV of another day than expected. The registrar's day is the truth, so nothing else is done. */
export function warnOfMissedNav(log: Log, row: Order): void {
  const expected = missedNavDate(row);
  if (expected === null) return;
  const { tenant, id, traded_on } = row;
  log.warn('an order has the NAV of another day than expected', { tenant, id, traded_on, expected });
}
