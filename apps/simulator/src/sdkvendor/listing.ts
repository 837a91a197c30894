import { z } from 'zod';

// Razorpay's own SDK converts a date to seconds with a fraction.
const seconds = z.coerce.number().nonnegative();

/** The parameters of every Razorpay list: a window of creation times, and a page of it, newest first. */
export const listQuery = z.object({
  from: seconds.optional(),
  to: seconds.optional(),
  count: z.coerce.number().int().min(1).max(100).default(10),
  skip: z.coerce.number().int().min(0).default(0),
});
export type ListQuery = z.output<typeof listQuery>;
export const orderListQuery = listQuery.extend({ receipt: z.string().optional() });
export type OrderListQuery = z.output<typeof orderListQuery>;

/** The order of every Razorpay list. */
export const NEWEST = 't.number DESC';

/** The rows of such a list, of those that meet `where`, as in Razorpay's responses. Without a window, all times match. */
export function pageOf<const Where extends object>({ from, to, count, skip }: ListQuery, where: Where) {
  // The last second of the year 9999, which PostgreSQL and JavaScript both support.
  const end = to ?? 253_402_300_799;
  const created_at = { from: new Date((from ?? 0) * 1000), to: new Date(end * 1000) };
  return [{ ...where, created_at }, NEWEST, { limit: count, offset: skip }] as const;
}

export function collection<T>(items: readonly T[]) {
  return { entity: 'collection', count: items.length, items };
}

/** Seconds since 1970, Razorpay's format of times. */
export function inSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
