import type { Holidays } from '@fundrail/contracts';
import { mfRedemptionPlanMachine } from '@fundrail/state-machines';
import { movedDate } from '../calendar/business-days.ts';
import { addMonths } from '../schedule/schedule.ts';
import { PlansUnderTest } from '../testing/plans-under-test.ts';

const FIFTY_YEARS = 600;

describe('the tables of plans', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  it('allow exactly the states of the machine', async () => {
    const [check] = await stage.rows<{ text: string }>(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'redemption_plans_state'`,
    );
    const allowed = [...(check?.text.matchAll(/'(\w+)'/g) ?? [])].map((match) => match[1]);
    expect(allowed.sort()).toEqual([...mfRedemptionPlanMachine.states].sort());
  });

  it('compute the same dates as the pure functions, over 50 years and for every day of a month', async () => {
    const listed = await stage.rows<{ day: string }>('SELECT day::text FROM holidays');
    const holidays: Holidays = Map.groupBy(
      listed.map(({ day }) => day),
      (day) => Number(day.slice(0, 4)),
    )
      .entries()
      .reduce((years, [year, days]) => years.set(year, new Set(days)), new Map<number, Set<string>>());
    const rows = await stage.rows<{ first: string; months: number; day: string; moved: string; at: string }>(
      `SELECT first::text, months, b.day::text, b.moved::text, to_char(b.generate_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI') AS at
         FROM generate_series(date '2025-01-01', date '2025-01-28', interval '1 day') AS first,
              generate_series(0, $1::int - 1) AS months
         JOIN LATERAL (SELECT * FROM business_calendar WHERE day = (first + make_interval(months => months))::date) b ON true`,
      FIFTY_YEARS,
    );
    expect(rows).toHaveLength(28 * FIFTY_YEARS);
    const wrong = rows.filter(({ first, months, day, moved, at }) => {
      const nominal = addMonths(first.slice(0, 10), months);
      const date = movedDate(nominal, holidays);
      return day !== nominal || moved !== date || at !== `${date} 00:05`;
    });
    expect(wrong).toEqual([]);
  });

  it('read a tenant’s plans of a rare state without reading the others', async () => {
    const plan = await stage.rows<Record<string, string>>(
      `EXPLAIN (COSTS OFF) SELECT id FROM redemption_plans WHERE tenant = 'demo' AND state = 'failed' AND old_id < 9000 ORDER BY old_id DESC LIMIT 10`,
    );
    const text = plan.map((row) => Object.values(row).join()).join('\n');
    expect(text).toContain('redemption_plans_state_newest');
    expect(text).not.toMatch(/Sort|Filter/);
  });
});
