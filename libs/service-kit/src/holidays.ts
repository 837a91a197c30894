export { HolidayCopy } from './holidays/holiday-copy.ts';
export { HolidayConsumer } from './holidays/holiday.consumer.ts';
export { createHolidayCopies } from './holidays/holiday-copies.ts';
export { holidaysForDeadline, readHolidays } from './holidays/holiday-copy.repository.ts';
export { HolidayList } from './holidays/holiday-list.ts';
export { CountedDeadlines, RecountDeadlines, type CountedDeadline } from './holidays/recount-deadlines.ts';
export { recountDeadlines } from './holidays/recount-deadlines.migration.ts';
