import { addDays, isBusinessDay, istDate, istInstant, SEEDED_HOLIDAYS } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';

/** DEB-8 to DEB-13, written a second time, as a reference for the product's policy. */
const HOUR = 3_600_000;
export const MOST_ATTEMPTS = 4;
export const LEAST_NOTICE = 24 * HOUR;
/** Failures after which a retry can help: money may arrive, or the bank may be reachable again. */
export const HELPFUL: ReadonlySet<PaymentFailureCode> = new Set([
  'insufficient_funds',
  'bank_downtime',
  'pg_timeout',
  'pg_server_error',
  'upi_app_unavailable',
]);
const RETRY_DAYS = 2;

/** Before 10:00, 13:00-17:00, from 21:30 on: the start of the window that contains `at`, or null in the peak hours. */
export function windowOf(at: Date): number | null {
  const today = istDate(at);
  const [nine, one, five, ten] = ['21:30', '13:00', '17:00', '10:00'].map((time) => istInstant(today, time));
  if (!nine || !one || !five || !ten) throw new Error('the day has no hours');
  if (at < ten) return istInstant(addDays(today, -1), '21:30').getTime();
  if (at >= one && at < five) return one.getTime();
  return at >= nine ? nine.getTime() : null;
}

/** Why an e-mandate may not be debited at `at`: the next business day from 10:00, and up to two calendar days of retries. */
export function emandateFault(at: Date, admitted: Date, first: Date | null): string | null {
  const today = istDate(at);
  if (at < istInstant(today, '10:00')) return 'before 10:00';
  if (first) return today > addDays(istDate(first), RETRY_DAYS) ? 'after its days of retries' : null;
  if (!isBusinessDay(today, SEEDED_HOLIDAYS)) return 'on a holiday';
  return today <= istDate(admitted) ? 'on the day of its admission' : null;
}
