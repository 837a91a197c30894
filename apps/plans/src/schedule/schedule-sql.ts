import { STEPS } from './schedule.ts';

const CASES = Object.entries(STEPS).map(
  ([frequency, step]) =>
    (from: string, count: string) =>
      'days' in step
        ? `WHEN '${frequency}' THEN ${from} + ${step.days} * (${count})`
        : `WHEN '${frequency}' THEN (${from} + make_interval(months => ${step.months} * (${count})))::date`,
);

/** `nominalDate` in SQL: the date `count` steps after the first by day of the course `c`. Null for `daily`. */
function stepsLater(c: string, count: string): string {
  const cases = CASES.map((of) => of(`${c}.first_by_day`, count)).join(' ');
  return `CASE ${c}.frequency ${cases} END`;
}

/** The nominal date after `next_nominal` of the course `c`. */
export function followingNominal(c: string): string {
  // After a first installment "now", a daily plan keeps the days that its activation needs.
  const daily = `greatest(${c}.next_date + 1, ${c}.first_by_day)`;
  return `CASE ${c}.frequency WHEN 'daily' THEN ${daily} ELSE ${stepsLater(c, `${c}.made + 1`)} END`;
}

/** The moved dates to come of the course `c`, which has a next one: rows of one column, `date`. */
export function comingDates(c: string): string {
  return `SELECT ${c}.next_date AS date
       UNION ALL
       SELECT b.moved FROM generate_series(${c}.made + 1, ${c}.number_of_installments - 1) AS step
         JOIN business_calendar b ON b.day = ${stepsLater(c, 'step')}
       UNION ALL
       (SELECT b.day FROM business_calendar b
         WHERE ${c}.frequency = 'daily' AND b.moved = b.day AND b.day >= greatest(${c}.next_date + 1, ${c}.first_by_day)
         ORDER BY b.day LIMIT greatest(${c}.number_of_installments - ${c}.made - 1, 0))`;
}
