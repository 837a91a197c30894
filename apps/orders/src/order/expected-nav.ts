import type { Holidays } from '@fundrail/contracts';
import { expectedNavDate } from '@fundrail/policies';
import { GATEWAYPOA_MONEY_BY } from '@fundrail/providers';
import { ORDER_HOLIDAYS } from './order-holidays.ts';
import type { ExpectedNav, Order } from './order.ts';

const NONE: ExpectedNav = { expected_nav_date: null, expected_nav_basis: null };

/**
 * What is expected at that business time, by the policy `nav_cut_off` (ORD-36). What is not known yet counts as now. Without a
 * category, and for an order that ended without units, nothing is expected; nor for a processed one whose times were never learnt.
 */
export function expectedNav(row: Order, now: Date, holidays: Holidays = ORDER_HOLIDAYS): ExpectedNav {
  const { scheme_category: category, submitted_at, money_settled_at, failed_at, cancelled_at } = row;
  if (!category || failed_at || cancelled_at) return NONE;
  const latest = row.succeeded_at ? null : now;
  const accepted = submitted_at ?? latest;
  const money = money_settled_at ?? row.money_received_at ?? latest;
  if (!accepted || (row.kind === 'purchase' && !money)) return NONE;
  const by = money_settled_at ? null : GATEWAYPOA_MONEY_BY[category];
  const funds = row.kind === 'purchase' && money ? { at: money, by } : null;
  return {
    expected_nav_date: expectedNavDate({ category, accepted, funds }, holidays),
    expected_nav_basis: funds && money_settled_at ? 'funds_realised' : 'estimate',
  };
}

/** The day that was expected of a processed order which has the NAV of another day. Null when it has none, or while a time is unknown. */
export function missedNavDate(row: Order, holidays: Holidays = ORDER_HOLIDAYS): string | null {
  const { traded_on, submitted_at, kind, money_settled_at } = row;
  if (!traded_on || !submitted_at || (kind === 'purchase' && !money_settled_at)) return null;
  const { expected_nav_date } = expectedNav(row, submitted_at, holidays);
  return expected_nav_date === traded_on ? null : expected_nav_date;
}
