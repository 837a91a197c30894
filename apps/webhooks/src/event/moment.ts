import { addDays, istInstant } from '@fundrail/contracts';

const isDate = (text: string): boolean => text.length === 10;

/** The first instant of an IST date, or the instant of a timestamp. */
export function startOf(text: string): Date {
  return isDate(text) ? istInstant(text) : new Date(text);
}

/** The last millisecond of an IST date, or the instant of a timestamp: both ends of a range are inclusive. */
export function endOf(text: string): Date {
  return isDate(text) ? new Date(istInstant(addDays(text, 1)).getTime() - 1) : new Date(text);
}
