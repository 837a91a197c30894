import { addDays, istDate } from '@fundrail/contracts';

const [TUESDAY, THURSDAY] = [2, 4];
/** The last day for which every month has this day and the next one. */
const LAST_DAY = 27;

/** A Tuesday, Wednesday or Thursday at least that many days after `now`. No weekend moves it. */
export function quietDayAfter(now: Date, days = 3): string {
  let date = addDays(istDate(now), days);
  for (;;) {
    const weekday = new Date(date).getUTCDay();
    if (weekday >= TUESDAY && weekday <= THURSDAY && Number(date.slice(8)) <= LAST_DAY) return date;
    date = addDays(date, 1);
  }
}
