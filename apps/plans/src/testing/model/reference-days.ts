/**
 * A day in India as the number of days since 1 January 1970. The reference model uses its own arithmetic, not the product's dates.
 */
export type Day = number;

const DAY_MS = 86_400_000;
const IST_MS = 19_800_000;
/** PLAN-16: an installment is generated at 00:05 IST of its date. */
const FIVE_PAST_MIDNIGHT_MS = 300_000;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 4;

/** The day in India at this time (milliseconds since the epoch). */
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

/** The first `count` days after that day with this number in their month, found by walking. */
export function nominalDays(installmentDay: number, count: number, after: Day): Day[] {
  const found: Day[] = [];
  for (let day = after + 1; found.length < count; day += 1)
    if (new Date(day * DAY_MS).getUTCDate() === installmentDay) found.push(day);
  return found;
}

const EVERY_YEAR = new Set(['01-26', '05-01', '08-15', '10-02', '12-25']);

function yearOf(day: Day): string {
  return textOf(day).slice(0, 4);
}

/** Which days are business days, by one list of holidays that is replaced one year at a time (CONV-33, ADMIN-10). */
export class ReferenceCalendar {
  private readonly listed: Set<string>;

  constructor(private closed: ReadonlySet<Day>) {
    this.listed = new Set([...closed].map(yearOf));
  }

  replace(year: number, dates: readonly string[]): void {
    const others = [...this.closed].filter((day) => !textOf(day).startsWith(`${year}-`));
    this.closed = new Set([...others, ...dates.map(dayOf)]);
    this.listed.add(String(year));
  }

  listOf(year: number): string[] {
    return [...this.closed].map(textOf).filter((date) => date.startsWith(`${year}-`));
  }

  /** That day, or the next one that is neither on a weekend nor a holiday. */
  openFrom(day: Day): Day {
    const isSunday = (day + THURSDAY) % 7 === 0;
    const isSaturday = (day + THURSDAY) % 7 === 6;
    return isSunday || isSaturday || this.isHoliday(day) ? this.openFrom(day + 1) : day;
  }

  /** CONV-34: a year without a list has its five fixed holidays. */
  private isHoliday(day: Day): boolean {
    return this.listed.has(yearOf(day)) ? this.closed.has(day) : EVERY_YEAR.has(textOf(day).slice(5));
  }
}
