import { addDays, isBusinessDay, type PlanFrequency } from '@fundrail/contracts';
import { readFileSync } from 'node:fs';
import { movedDate } from '../calendar/business-days.ts';
import { leadDays } from '../plan/plan.ts';
import { nominalDate, scheduleFrom } from './schedule.ts';

/** Monday, 4 January 2027: the plans of the pictures become active. */
const ACTIVE_ON = '2027-01-04';
/** Without a list, the fixed national holidays hold: here 26 January, a Tuesday. */
const HOLIDAYS = new Map<number, never>();
const WEEKS = 4;
const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const WIDTH_OF_NAMES = 28;

/** A plan of the pictures, with what a reader calls it. */
interface Example {
  readonly name: string;
  readonly frequency: PlanFrequency;
  readonly installment_day: number | null;
  readonly payment_source: number | null;
}

/** One installment's days. */
interface Installment {
  readonly nominal: string;
  readonly date: string;
  readonly generated: string;
}

const BY_MANDATE = { payment_source: 1001 };
const SHORT: readonly Example[] = [
  { name: 'daily', frequency: 'daily', installment_day: null, ...BY_MANDATE },
  { name: 'day_in_a_week, 2', frequency: 'day_in_a_week', installment_day: 2, ...BY_MANDATE },
  { name: 'day_in_a_fortnight, 3', frequency: 'day_in_a_fortnight', installment_day: 3, ...BY_MANDATE },
  { name: 'monthly, 10', frequency: 'monthly', installment_day: 10, ...BY_MANDATE },
  { name: 'monthly, 10, by hand', frequency: 'monthly', installment_day: 10, payment_source: null },
];
const LONG: readonly Example[] = [
  { name: '`monthly`, 5', frequency: 'monthly', installment_day: 5, ...BY_MANDATE },
  { name: '`monthly`, 5, by hand', frequency: 'monthly', installment_day: 5, payment_source: null },
  { name: '`quarterly`, 15', frequency: 'quarterly', installment_day: 15, ...BY_MANDATE },
  { name: '`half_yearly`, 28', frequency: 'half_yearly', installment_day: 28, ...BY_MANDATE },
  { name: '`yearly`, 26', frequency: 'yearly', installment_day: 26, ...BY_MANDATE },
];

/** Four weeks of plans as a picture, from the code that generates installments. */
function picture(): string[] {
  const days = Array.from({ length: WEEKS * WEEKDAYS.length }, (_, index) => addDays(ACTIVE_ON, index));
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(WIDTH_OF_NAMES)}${cells.map((cell) => cell.padStart(3)).join('')}`.trimEnd();
  const weekdayOf = (day: string) => WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? '';
  return [
    line(
      'January 2027',
      days.map((day) => String(Number(day.slice(8)))),
    ),
    line('', days.map(weekdayOf)),
    line(
      'no business day',
      days.map((day) => (isBusinessDay(day, HOLIDAYS) ? '' : '/')),
    ),
    ...SHORT.map((example) => {
      const made = installmentsOf(example, days.length);
      return line(
        example.name,
        days.map((day) => marksOf(day, made)),
      );
    }),
  ];
}

/** The first dates of the rarer ones, as a row of the table. */
function rowOf(example: Example): string {
  const dates = installmentsOf(example, 4).map(({ nominal, date }) =>
    nominal === date ? date : `${date} (for ${nominal})`,
  );
  return `| ${[example.name, ...dates].join(' | ')} |`;
}

function marksOf(day: string, installments: readonly Installment[]): string {
  const has = (of: (installment: Installment) => boolean) => installments.some(of);
  const generated = has((one) => one.generated === day) ? 'g' : '';
  const nominal = has((one) => one.nominal === day && one.date !== day) ? 'n' : '';
  const marks = `${generated}${nominal}${has(({ date }) => date === day) ? 'D' : ''}`;
  return marks === '' ? '.' : marks;
}

function installmentsOf(example: Example, count: number): Installment[] {
  const { frequency } = example;
  const terms = { ...example, kind: 'purchase' as const, number_of_installments: count, first_now: false };
  const schedule = scheduleFrom(terms, ACTIVE_ON);
  const installments: Installment[] = [];
  for (let number = 1; number <= count; number += 1) {
    const last = installments.at(-1);
    const nominal =
      frequency === 'daily' && last
        ? movedDate(addDays(last.date, 1), HOLIDAYS)
        : nominalDate(schedule, number, frequency);
    const date = movedDate(nominal, HOLIDAYS);
    installments.push({ nominal, date, generated: addDays(date, -leadDays(terms)) });
  }
  return installments;
}

describe('the calendar in docs/plans.md (SIP-10, SIP-12)', () => {
  const page = readFileSync(new URL('../../../../docs/plans.md', import.meta.url), 'utf8');

  it('has the picture that the schedule draws', () => {
    expect(page).toContain(`\`\`\`text\n${picture().join('\n')}\n\`\`\`\n`);
  });

  it.each(LONG)('has the dates of $name', (example) => {
    expect(page.replaceAll(/ +/g, ' ').split('\n')).toContain(rowOf(example));
  });
});
