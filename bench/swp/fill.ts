import { onServer } from '../lib/postgres.ts';
import { purchaseCoursesOf, purchasePlansOf, purchasesOf } from './fill-purchases.ts';
import { REDEMPTION, type Kind } from './kinds.ts';

export const TENANT = 'bench';
/** Of the fifth month before: one installment of each plan is made, and one is to come. */
const NUMBER_OF_INSTALLMENTS = 12;
/** Events of a plan so far: the five of its activation, and the one of its first installment. */
export const EVENTS = 6;
const DATES = { first: '2026-10-05', next: '2026-11-05' };

/** The id of the plan of that number. */
export function planId(number: number, { plan }: Kind = REDEMPTION): string {
  return `${plan}${number.toString(16).padStart(32, '0')}`;
}

const hex = `lpad(to_hex(n), 32, '0')`;
const HEAD = `format('{"plan":"mfr_%s","mf_investment_account":"mfia_%s","folio_number":"91047558203","scheme":"INF846K01EW2",'
  '"amount":%s.0000,"units":null,"gateway":"gatewaypoa","consent":{"email":"investor%s@example.com","isd_code":null,"mobile":null},'
  '"payment_method":null,"payment_source":null,"euin":null,"partner":null,"user_ip":null,"initiated_by":"system"', ${hex}, ${hex},
  1000 + n % 5000, n)`;

const plansOf = (count: number) => `
  INSERT INTO redemption_plans (id, old_id, tenant, investor_profile, mf_investment_account, folio_number, scheme, amount,
    installment_day, number_of_installments, auto_generate, first_now, gateway, created_at, state, consent, installment_head,
    start_date, end_date, review_completed_at, confirmed_at, submitted_at, activated_at)
  SELECT 'mfr_' || ${hex}, 1000000 + n, '${TENANT}', 'invp_' || ${hex}, 'mfia_' || ${hex}, '91047558203', 'INF846K01EW2',
    1000 + n % 5000, 5, ${NUMBER_OF_INSTALLMENTS}, true, false, 'gatewaypoa', '2026-09-20', 'active',
    jsonb_build_object('email', 'investor' || n || '@example.com', 'isd_code', null, 'mobile', null), ${HEAD},
    '${DATES.first}', '2027-09-05', '2026-09-20', '2026-09-20', '2026-09-20', '2026-09-20'
  FROM generate_series(1, ${count}) AS n`;

const installmentsOf = (count: number) => `
  INSERT INTO plan_installments (plan_id, installment_number, tenant, redemption, state, nominal_date, date, generated_at, ended_at)
  SELECT 'mfr_' || ${hex}, 1, '${TENANT}', 'mfrd_' || ${hex}, 'under_review', '${DATES.first}', '${DATES.first}', '2026-10-05',
    '2026-10-07' FROM generate_series(1, ${count}) AS n`;

const coursesOf = (count: number, dueAt: Date) => `
  INSERT INTO plan_courses (plan_id, tenant, event_seq, number_of_installments, made, first_by_day, next_nominal, next_date,
    generate_at, previous_date)
  SELECT 'mfr_' || ${hex}, '${TENANT}', ${EVENTS}, ${NUMBER_OF_INSTALLMENTS}, 1, '${DATES.first}', '${DATES.next}',
    '${DATES.next}', '${dueAt.toISOString()}', '${DATES.first}' FROM generate_series(1, ${count}) AS n`;

/** Makes active plans whose first installment was made, straight in the database: their way there is not what is measured. */
export async function fillPlans(database: string, count: number, { kind }: Kind = REDEMPTION): Promise<void> {
  if (kind === 'purchase')
    await onServer(database, purchasePlansOf(count, TENANT), purchasesOf(count, TENANT));
  else await onServer(database, plansOf(count), installmentsOf(count));
}

/** Their courses: the next installment of all of them falls due at that moment. */
export async function fillCourses(
  database: string,
  count: number,
  dueAt: Date,
  { kind }: Kind = REDEMPTION,
): Promise<void> {
  await onServer(
    database,
    kind === 'purchase' ? purchaseCoursesOf(count, TENANT, dueAt, EVENTS) : coursesOf(count, dueAt),
    ...['redemption_plans', 'plan_installments', 'plan_courses'].map((table) => `VACUUM (ANALYZE) ${table}`),
  );
}
