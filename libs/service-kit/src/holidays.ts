export { HolidayCopy } from './holidays/holiday-copy.ts';
export { HolidayConsumer } from './holidays/holiday.consumer.ts';
export { HolidayCopies1700000030000 } from './holidays/holiday-copy.migration.ts';
export { readHolidays } from './holidays/holiday-copy.repository.ts';
export { HolidayList } from './holidays/holiday-list.ts';
