import { HolidayList } from '@fundrail/service-kit/holidays';

/** The holidays in memory, for decisions about orders and for what is computed when one is printed. `HolidayCopy` keeps them equal to the table. */
export const ORDER_HOLIDAYS = new HolidayList();
