import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { size } from '../lib/size.ts';
import { fillCourses, fillPlans, TENANT } from './fill.ts';

/** This many are enough to measure its speed. */
const PLANS = size(8_000, 100);
const CONNECTIONS = 4;

const TAKE = `SELECT c.*, p.installment_head FROM plan_courses c JOIN redemption_plans p ON p.id = c.plan_id
  WHERE c.generate_at <= now() ORDER BY c.generate_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`;
const FOLLOWING = `SELECT * FROM business_calendar WHERE day = ($1::date + make_interval(months => $2))::date`;
const INSTALLMENT = `INSERT INTO plan_installments
  (plan_id, installment_number, tenant, redemption, state, nominal_date, date, generated_at)
  VALUES ($1, $2, '${TENANT}', $3, 'under_review', $4, $5, now())`;
const MOVE = `UPDATE plan_courses SET event_seq = event_seq + 1, made = made + 1, previous_date = next_date, next_nominal = $2,
  next_date = $3, generate_at = $4 WHERE plan_id = $1`;
const PUBLISH = `INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data)
  VALUES ($1, 'mf_redemption_plan.installment_generated', 1, '${TENANT}', $2, $3, now(), $4)`;

interface Course {
  readonly plan_id: string;
  /** Numbers as the texts that the connection leaves them. */
  readonly event_seq: string;
  readonly made: string;
  readonly first_by_day: string;
  readonly next_nominal: string;
  readonly next_date: string;
  readonly installment_head: string;
}

/**
 * The same rows as most schedulers are written: each of four workers takes one due plan, makes its installment, and commits,
 * with prepared statements on a connection of its own. Answers installments a second.
 */
export async function oneByOne(database: string): Promise<number> {
  await fillPlans(database, PLANS);
  await fillCourses(database, PLANS, new Date(0));
  const began = performance.now();
  const made = await Promise.all(Array.from({ length: CONNECTIONS }, () => worker(database)));
  const seconds = (performance.now() - began) / 1000;
  const total = made.reduce((sum, count) => sum + count, 0);
  if (total !== PLANS) throw new Error(`one by one made ${total} of ${PLANS}`);
  return total / seconds;
}

async function worker(database: string): Promise<number> {
  // Dates as the texts that they are.
  const types = { getTypeParser: () => (text: string) => text };
  const client = new pg.Client({ connectionString: database, options: PLAN_BY_INDEX, types });
  await client.connect();
  let count = 0;
  while (await makeOne(client)) count += 1;
  await client.end();
  return count;
}

async function makeOne(client: pg.Client): Promise<boolean> {
  const ask = <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[] = []) =>
    client.query<Row>({ name, text, values });
  await client.query('BEGIN');
  const [course] = (await ask<Course>('take', TAKE)).rows;
  if (!course) {
    await client.query('COMMIT');
    return false;
  }
  const { plan_id, next_nominal, next_date, installment_head } = course;
  const [made, sequence] = [Number(course.made) + 1, Number(course.event_seq) + 1];
  const { rows } = await ask<Record<string, string>>('following', FOLLOWING, [course.first_by_day, made]);
  const redemption = `mfrd_${randomUUID().replaceAll('-', '')}`;
  await ask('installment', INSTALLMENT, [plan_id, made, redemption, next_nominal, next_date]);
  await ask('move', MOVE, [plan_id, rows[0]?.['day'], rows[0]?.['moved'], rows[0]?.['generate_at']]);
  const installment = `${installment_head},"installment_number":${made},"redemption":"${redemption}","state":"under_review"`;
  const object = `${installment},"nominal_date":"${next_nominal}","date":"${next_date}"}`;
  const data = `{"object":${object},"previous_attributes":null}`;
  await ask('publish', PUBLISH, [`evt_${randomUUID().replaceAll('-', '')}`, plan_id, sequence, data]);
  await client.query('COMMIT');
  return true;
}
