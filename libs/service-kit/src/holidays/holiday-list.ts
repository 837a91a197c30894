import { SEEDED_HOLIDAYS, type Holidays } from '@fundrail/contracts';

/** The holidays in memory, for decisions; `HolidayCopy` keeps it equal to the table. */
export class HolidayList implements Holidays {
  #years: Holidays = SEEDED_HOLIDAYS;

  get(year: number): ReadonlySet<string> | undefined {
    return this.#years.get(year);
  }

  set(years: Holidays): void {
    this.#years = years;
  }
}
