import { Baseline } from '@fundrail/service-kit/db';
import type { QueryRunner } from 'typeorm';
import { calendarColumns, seededHolidays } from '../calendar/calendar-rows.ts';

/**
 * - holiday_years, holidays: the one holiday list, one year at a time, with its source (CONV-33). `event_seq` counts the events of a year;
 *   other services keep a copy of the list.
 * - business_calendar: for each day, the business day that it moves to, and when an installment of that day is generated. Written
 *   from `movedDate`, the only implementation of the rule, and read by SQL. It extends beyond the last installment of any plan created before 2050.
 * - redemption_plans: the terms and the state of a plan. Generation reads `installment_head`, the fixed part of an installment's JSON,
 *   and writes nothing here.
 * - plan_courses: the progress of a plan. Narrow, because every installment rewrites it. Its row is the lock under which a plan's
 *   events are numbered; a transaction that locks both rows locks the plan first. `skips` are the days of the plan's skip instructions.
 * - plan_installments: the generated installments. No foreign key: the insert takes its plans from rows that it has locked, and
 *   checking each of a million plans again would be most of the work.
 */
const tables = `
CREATE TABLE holiday_years (
  year integer PRIMARY KEY,
  source text NOT NULL,
  replaced_at timestamptz NOT NULL,
  event_seq integer NOT NULL DEFAULT 0
);
CREATE TABLE holidays (
  day date PRIMARY KEY,
  year integer NOT NULL REFERENCES holiday_years
);
CREATE TABLE business_calendar (
  day date PRIMARY KEY,
  moved date NOT NULL,
  generate_at timestamptz NOT NULL,
  CONSTRAINT business_calendar_moves_on CHECK (moved >= day)
);

CREATE SEQUENCE redemption_plans_old_id_seq AS bigint START 1001;
CREATE TABLE redemption_plans (
  id text PRIMARY KEY,
  old_id bigint NOT NULL UNIQUE,
  tenant text NOT NULL,
  investor_profile text NOT NULL,
  mf_investment_account text NOT NULL,
  folio_number text,
  scheme text NOT NULL,
  amount numeric(22,4) CHECK (amount > 0),
  units numeric(22,4) CHECK (units > 0),
  installment_day integer NOT NULL CHECK (installment_day BETWEEN 1 AND 28),
  number_of_installments integer NOT NULL CHECK (number_of_installments BETWEEN 1 AND 1200),
  auto_generate boolean NOT NULL,
  first_now boolean NOT NULL,
  payment_method text CHECK (payment_method = 'mandate'),
  payment_source bigint,
  gateway text NOT NULL CHECK (gateway = 'gatewaypoa'),
  source_ref_id text,
  euin text,
  partner text,
  user_ip text,
  created_at timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT redemption_plans_state CHECK (state IN
    ('created', 'review_completed', 'confirmed', 'submitted', 'active', 'completed', 'cancelled', 'failed')),
  consent jsonb,
  installment_head text,
  start_date date,
  end_date date,
  cancellation_code text,
  reason text,
  review_completed_at timestamptz,
  confirmed_at timestamptz,
  submitted_at timestamptz,
  activated_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  failed_at timestamptz,
  unanswered_since timestamptz,
  CONSTRAINT redemption_plans_amount_or_units CHECK (amount IS NULL OR units IS NULL),
  CONSTRAINT redemption_plans_collected_by CHECK ((payment_method IS NULL) = (payment_source IS NULL)),
  CONSTRAINT redemption_plans_active_is_known CHECK (state NOT IN ('active', 'completed') OR
    (consent IS NOT NULL AND installment_head IS NOT NULL AND start_date IS NOT NULL AND activated_at IS NOT NULL))
);
CREATE UNIQUE INDEX redemption_plans_source_ref ON redemption_plans (tenant, source_ref_id) WHERE source_ref_id IS NOT NULL;
CREATE INDEX redemption_plans_newest ON redemption_plans (tenant, old_id DESC);
CREATE INDEX redemption_plans_account ON redemption_plans (tenant, mf_investment_account, old_id DESC);
CREATE INDEX redemption_plans_mandate ON redemption_plans (payment_source) WHERE payment_source IS NOT NULL;
-- For lists of plans by state, newest first, at the same speed for any number of other plans (PLAN-11).
CREATE INDEX redemption_plans_state_newest ON redemption_plans (tenant, state, old_id DESC);
-- For counting the plans that have had no understood answer of the gateway for a day (GATE-5).
CREATE INDEX redemption_plans_unanswered ON redemption_plans (unanswered_since) WHERE unanswered_since IS NOT NULL;

CREATE TABLE plan_courses (
  plan_id text PRIMARY KEY REFERENCES redemption_plans,
  tenant text NOT NULL,
  event_seq integer NOT NULL CHECK (event_seq > 0),
  number_of_installments integer NOT NULL,
  made integer NOT NULL,
  first_by_day date,
  next_nominal date,
  next_date date,
  generate_at timestamptz,
  previous_date date,
  skips datemultirange NOT NULL DEFAULT '{}',
  CONSTRAINT plan_courses_made CHECK (made BETWEEN 0 AND number_of_installments),
  CONSTRAINT plan_courses_next_is_whole CHECK
    ((generate_at IS NULL) = (next_date IS NULL) AND (generate_at IS NULL) = (next_nominal IS NULL)),
  CONSTRAINT plan_courses_nothing_after_the_last CHECK (generate_at IS NULL OR made < number_of_installments)
);
CREATE INDEX plan_courses_due ON plan_courses (generate_at) WHERE generate_at IS NOT NULL;

CREATE TABLE redemption_plan_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plan_id text NOT NULL REFERENCES redemption_plans,
  tenant text NOT NULL,
  trigger text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  event_seq integer NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX redemption_plan_history_plan ON redemption_plan_history (plan_id, id);

CREATE TABLE plan_installments (
  plan_id text NOT NULL,
  installment_number integer NOT NULL CHECK (installment_number > 0),
  tenant text NOT NULL,
  redemption text NOT NULL,
  state text NOT NULL CHECK (state IN ('under_review', 'cancelled')),
  nominal_date date NOT NULL,
  date date NOT NULL,
  drawn boolean NOT NULL DEFAULT false,
  generated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (plan_id, installment_number)
);
CREATE UNIQUE INDEX plan_installments_drawn ON plan_installments (redemption) WHERE drawn;

CREATE TABLE skip_instructions (
  id text PRIMARY KEY,
  plan_id text NOT NULL REFERENCES redemption_plans,
  tenant text NOT NULL,
  from_date date NOT NULL,
  to_date date,
  created_at timestamptz NOT NULL,
  cancelled_at timestamptz,
  last_day date,
  CONSTRAINT skip_instructions_range CHECK (to_date IS NULL OR to_date >= from_date),
  CONSTRAINT skip_instructions_cancelled CHECK ((cancelled_at IS NULL) = (last_day IS NULL))
);
CREATE INDEX skip_instructions_plan ON skip_instructions (plan_id, id DESC);

CREATE TABLE gateway_events (
  event_id text PRIMARY KEY,
  reference text NOT NULL,
  received_at timestamptz NOT NULL
);
-- For the deletion of applied callbacks by their age.
CREATE INDEX gateway_events_received_at ON gateway_events (received_at);
`;

/**
 * The tables of the service as release 0.1 left them, in place of the migrations of that release (decision 0045).
 * The calendar is the one of this build's rule, which `NationalHolidays1700001020004` gives to older databases.
 */
export class SwpBaseline1700001000001 extends Baseline {
  static readonly replaces = [
    'Swp1700000000800',
    'HolidayEvents1700000000850',
    'PlanLists1700000040000',
    'PlanListIndexes1700000040001',
    'GatewayEventsByAge1700000050800',
  ];

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    const { years, days, source } = seededHolidays();
    await runner.query(
      'INSERT INTO holiday_years (year, source, replaced_at) SELECT year, $2, clock_timestamp() FROM unnest($1::int[]) AS year',
      [years, source],
    );
    await runner.query(
      'INSERT INTO holidays (day, year) SELECT day, extract(year FROM day) FROM unnest($1::date[]) AS day',
      [days],
    );
    await runner.query(
      'INSERT INTO business_calendar (day, moved, generate_at) SELECT * FROM unnest($1::date[], $2::date[], $3::timestamptz[])',
      calendarColumns(),
    );
  }
}
