import {
  EVENTS,
  istTimestamp,
  newId,
  stringifyJson,
  type HolidayYearDto,
  type ReplaceHolidays as Asked,
} from '@fundrail/contracts';
import { appendEvents, type NewEvent } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { calendarColumns } from '../calendar/calendar-rows.ts';
import { passFaultPoint } from '../fault-points.ts';
import { findHolidays, replaceYear, setCalendarDays } from './holiday.repository.ts';

/**
 * Replaces a year of the one holiday list (ADMIN-10). The next dates of plans move with it, generated installments stay, and an
 * event informs the services that keep a copy.
 */
@Injectable()
export class ReplaceHolidays {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async execute(caller: Caller, { year, source, dates: given }: Asked): Promise<HolidayYearDto> {
    const dates = given.toSorted();
    const answer = await this.database.transaction(async (tx) => {
      const sequence = await replaceYear(tx, { year, dates, source });
      const holidays = await findHolidays(tx);
      // The last days of the previous year may have moved into this year.
      const columns = calendarColumns(holidays, `${year - 1}-12-01`, `${year}-12-31`);
      const plans_moved = await setCalendarDays(tx, columns);
      const replaced_at = istTimestamp(tx.now);
      const body = { object: 'holiday_year', year, dates, source, replaced_at, plans_moved } as const;
      await appendEvents(tx, [replaced(caller.tenant, body, sequence, tx.now)]);
      const result = await caller.answer(tx, body);
      await passFaultPoint('plans.holidays.before_commit');
      return result;
    });
    await passFaultPoint('plans.holidays.committed');
    const { plans_moved } = answer;
    this.log.info('a year of holidays was replaced', { year, source, dates: dates.length, plans_moved });
    return answer;
  }
}

/** The event for the copies of other services. It carries the operator's tenant, because the list belongs to every tenant. */
function replaced(tenant: string, year: HolidayYearDto, sequence: number, now: Date): NewEvent {
  const { version } = EVENTS['holiday_year.replaced'];
  return {
    type: 'holiday_year.replaced',
    ...{ id: newId('event'), version, tenant, sequence },
    ...{ aggregate_id: `holiday_year_${year.year}`, occurred_at: now, traceparent: null },
    data: stringifyJson({ object: year, previous_attributes: null }),
  };
}
