import { z } from 'zod';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** The years that the business calendar covers. */
const FIRST_YEAR = 2021;
const LAST_YEAR = 2150;
/** No exchange has this many; the limit keeps a typing error from closing a whole year. */
const MOST_HOLIDAYS = 60;

const year = z.int().min(FIRST_YEAR).max(LAST_YEAR);

/** Body of `POST /admin/holidays`: the complete list of the year, which replaces the stored one (ADMIN-10). */
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

/** A year of the holiday list as stored. */
export const holidayYear = z
  .strictObject({
    object: z.literal('holiday_year'),
    year: z.int(),
    dates: z.array(businessDate),
    source: z.string(),
    replaced_at: timestamp,
    /** The number of plans whose next installment date changed. */
    plans_moved: z.int(),
  })
  .meta({ id: 'HolidayYear' });
export type HolidayYearDto = z.infer<typeof holidayYear>;
