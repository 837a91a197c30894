import { addDays, isBusinessDay, yearOf, type Holidays } from '@fundrail/contracts';

/** The date itself when it is a business day, otherwise the next one that is (PLAN-13). */
export function movedDate(nominal: string, holidays: Holidays): string {
  let date = nominal;
  while (!isBusinessDay(date, holidays)) date = addDays(date, 1);
  return date;
}

/** The years from `from` to `to`, both included, whose holidays are not known. */
export function unknownYears(from: string, to: string, known: readonly number[]): number[] {
  const years: number[] = [];
  for (let year = yearOf(from); year <= yearOf(to); year += 1) if (!known.includes(year)) years.push(year);
  return years;
}

/** Years in order as words: `2027`, `2027 and 2029`, `2027 to 2031`. */
export function yearRanges(years: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const year of years) {
    const last = spans.at(-1);
    if (last?.[1] === year - 1) last[1] = year;
    else spans.push([year, year]);
  }
  return spans.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`)).join(' and ');
}
