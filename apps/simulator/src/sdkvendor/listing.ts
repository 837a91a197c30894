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

/** The values of `$1` to `$4` of a list's statement. Without a window, all times match. */
export function listValues({ from, to, count, skip }: ListQuery): readonly (Date | number)[] {
  // The last second of the year 9999, which PostgreSQL and JavaScript both support.
  const end = to ?? 253_402_300_799;
  return [new Date((from ?? 0) * 1000), new Date(end * 1000), count, skip];
}

export function collection<T>(items: readonly T[]) {
  return { entity: 'collection', count: items.length, items };
}

/** Seconds since 1970, Razorpay's format of times. */
export function inSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
