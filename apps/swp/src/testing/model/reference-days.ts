/** A day of India as the number of days since 1 January 1970; the reference model counts, and knows nothing of the product's dates. */
export type Day = number;

const DAY_MS = 86_400_000;
const IST_MS = 19_800_000;
/** Contract §5: an installment is generated at 00:05 IST of its date. */
const FIVE_PAST_MIDNIGHT_MS = 300_000;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 4;

/** The day that it is in India at this time (milliseconds since the epoch). */
export function dayAt(at: number): Day {
  return Math.floor((at + IST_MS) / DAY_MS);
}

/** 00:05 IST of the day, in milliseconds since the epoch. */
export function dueTime(day: Day): number {
  return day * DAY_MS - IST_MS + FIVE_PAST_MIDNIGHT_MS;
}

export function textOf(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function dayOf(text: string): Day {
  return Date.parse(text) / DAY_MS;
}

/** The first so many days after that one whose number in their month is `installmentDay`, found by walking. */
export function nominalDays(installmentDay: number, count: number, after: Day): Day[] {
  const found: Day[] = [];
  for (let day = after + 1; found.length < count; day += 1)
    if (new Date(day * DAY_MS).getUTCDate() === installmentDay) found.push(day);
  return found;
}

/** Which days are open, by one list of holidays that is replaced a year at a time (contract §8, §10 "Plans"). */
export class ReferenceCalendar {
  constructor(private closed: ReadonlySet<Day>) {}

  replace(year: number, dates: readonly string[]): void {
    const others = [...this.closed].filter((day) => !textOf(day).startsWith(`${year}-`));
    this.closed = new Set([...others, ...dates.map(dayOf)]);
  }

  listOf(year: number): string[] {
    return [...this.closed].map(textOf).filter((date) => date.startsWith(`${year}-`));
  }

  /** That day, or the next one that is neither of a weekend nor a holiday. */
  openFrom(day: Day): Day {
    const isSunday = (day + THURSDAY) % 7 === 0;
    const isSaturday = (day + THURSDAY) % 7 === 6;
    return isSunday || isSaturday || this.closed.has(day) ? this.openFrom(day + 1) : day;
  }
}
