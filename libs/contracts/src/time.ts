import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/** Business time is Indian Standard Time, UTC+05:30 all year (CONV-30). */
const IST = 'Asia/Kolkata';
const IST_OFFSET_MS = 19_800_000;

/** `2026-12-21T10:00:00.000+05:30`: the form of every timestamp on the wire. */
export function istTimestamp(at: Date): string;
export function istTimestamp(at: Date | null): string | null;
export function istTimestamp(at: Date | null): string | null {
  return at && `${new Date(at.getTime() + IST_OFFSET_MS).toISOString().slice(0, -1)}+05:30`;
}

/** The business date (`YYYY-MM-DD`) in India at that instant. */
export function istDate(at: Date): string {
  return new Date(at.getTime() + IST_OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant of a wall-clock time (`HH:MM`) on a business date in India. */
export function istInstant(date: string, time = '00:00'): Date {
  return new Date(`${date}T${time}:00.000+05:30`);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Adds an ISO 8601 duration such as `P1M` or `PT90M`, in Indian wall time. Throws `RangeError` on a bad duration. */
export function addDuration(at: Date, duration: string): Date {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(IST);
  return new Date(zoned.add(Temporal.Duration.from(duration)).epochMilliseconds);
}

/** A timestamp on the wire: ISO 8601 with offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** A timestamp that a caller writes into what is published. Without the limit its fraction could make an event too large for the broker. */
export const writtenTimestamp = timestamp
  .max(35)
  .refine((text) => new Date(text).getTime() >= 0, 'must be a time after 1969');

/** A business date on the wire. ISO 8601 has a year 0, PostgreSQL and the calendar have none. */
export const businessDate = z.iso
  .date()
  .refine((text) => !text.startsWith('0000'), 'must be after the year 0');
