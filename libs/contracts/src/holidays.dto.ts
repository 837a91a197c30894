import { z } from 'zod';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** The years that the business calendar covers. */
const FIRST_YEAR = 2021;
const LAST_YEAR = 2150;
/** No exchange has so many; it keeps a slip of the finger from closing a whole year. */
const MOST_HOLIDAYS = 60;

const year = z.int().min(FIRST_YEAR).max(LAST_YEAR);

/** Body of `POST /admin/holidays`: the year's whole list; it takes the place of the one that is there (contract §8). */
export const replaceHolidays = z
  .strictObject({ year, dates: z.array(businessDate).max(MOST_HOLIDAYS), source: plainText(300) })
  .superRefine(({ year: of, dates }, context) => {
    dates.forEach((date, index) => {
      const refuse = (message: string) =>
        context.addIssue({ code: 'custom', path: ['dates', index], message });
      if (!date.startsWith(`${of}-`)) refuse(`must be a date of ${of}`);
      else if (dates.indexOf(date) !== index) refuse('is in the list twice');
    });
  })
  .meta({ id: 'ReplaceHolidays' });
export type ReplaceHolidays = z.output<typeof replaceHolidays>;

/** A year of the holiday list as it was taken. */
export const holidayYear = z
  .strictObject({
    object: z.literal('holiday_year'),
    year: z.int(),
    dates: z.array(businessDate),
    source: z.string(),
    replaced_at: timestamp,
    /** Plans whose next installment has another date now. */
    plans_moved: z.int(),
  })
  .meta({ id: 'HolidayYear' });
export type HolidayYearDto = z.infer<typeof holidayYear>;
