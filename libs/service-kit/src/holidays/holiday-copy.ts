import { addDays, istDate, yearOf, type HolidayYearDto } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../db/database.ts';
import { Log } from '../logging/log.ts';
import { keepHolidays, readHolidays } from './holiday-copy.repository.ts';
import { HolidayList } from './holiday-list.ts';

/** Wall milliseconds: one replica receives a new list, and the others read it within this time. */
const READ_EVERY_MS = 1_000;
/** How early a missing year is reported: business days are counted about this far ahead at most. */
const AHEAD_DAYS = 30;

/** This service's copy of the one holiday list (ADMIN-11, CONV-34), and the warning about a missing year. */
@Injectable()
export class HolidayCopy implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #warned = new Set<number>();
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly list: HolidayList,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.read();
    const again = () => {
      this.#reading = this.read();
    };
    this.#timer = setInterval(again, READ_EVERY_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#reading;
  }

  /** Stores a replaced year, in the transaction of the inbox row. */
  async replace(tx: Tx, { year, dates }: HolidayYearDto): Promise<void> {
    await keepHolidays(tx, year, dates);
    this.list.set(await readHolidays(tx));
  }

  private async read(): Promise<void> {
    try {
      this.list.set(await readHolidays(this.database));
      this.warn(istDate(await this.database.now()));
    } catch (error) {
      this.log.error('the holidays could not be read', error);
    }
  }

  private warn(today: string): void {
    for (const year of [yearOf(today), yearOf(addDays(today, AHEAD_DAYS))]) {
      if (this.list.get(year) || this.#warned.has(year)) continue;
      this.#warned.add(year);
      this.log.warn('the holidays of a year are missing: only weekends and the national holidays apply', {
        year,
      });
    }
  }
}
