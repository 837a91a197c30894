import { SEEDED_HOLIDAYS, type Holidays } from '@fundrail/contracts';

/** The holidays in memory, for decisions that are given them with their other rules; `HolidayCopy` keeps it as the table is. */
export class HolidayList implements Holidays {
  #years: Holidays = SEEDED_HOLIDAYS;

  get(year: number): ReadonlySet<string> | undefined {
    return this.#years.get(year);
  }

  set(years: Holidays): void {
    this.#years = years;
  }
}
