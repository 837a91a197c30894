import { PURCHASE } from './kinds.ts';

const { made, next } = PURCHASE;
/** From one date to the next; `daily` has none. */
const STEPS = {
  day_in_a_week: { days: 7 },
  day_in_a_fortnight: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  half_yearly: { months: 6 },
  yearly: { months: 12 },
};
const FREQUENCIES = ['daily', ...Object.keys(STEPS)];
const hex = `lpad(to_hex(n), 32, '0')`;
const frequency = `(ARRAY['${FREQUENCIES.join("', '")}'])[1 + n % ${FREQUENCIES.length}]`;
const stepBack = (step: { readonly days: number } | { readonly months: number }) =>
  'days' in step ? `days => ${step.days * made}` : `months => ${step.months * made}`;
const cases = Object.entries(STEPS).map(
  ([name, step]) => `WHEN '${name}' THEN (date '${next}' - make_interval(${stepBack(step)}))::date`,
);
/** The first date by the plan's day: the next one is so many steps later. */
const first = `CASE ${frequency} ${cases.join(' ')} ELSE date '${next}' - 60 END`;
/** Every other plan steps up, but a daily one never does. */
const stepsUp = `n % 2 = 0 AND n % ${FREQUENCIES.length} <> 0`;
const HEAD = `format('{"plan":"mfpp_%s","account":"mfia_%s","investor_profile":"invp_%s","scheme":"INF846K01EW2","euin":null,"partner":null',
  ${hex}, ${hex}, ${hex})`;
const amount = '1000 + n % 5000';

/** How many of so many plans step up with the installment that falls due. */
export function steppingUp(plans: number): number {
  let count = 0;
  for (let n = 1; n <= plans; n += 1) if (n % 2 === 0 && n % FREQUENCIES.length !== 0) count += 1;
  return count;
}

/** Active purchase plans by mandate, of every frequency. */
export const purchasePlansOf = (count: number, tenant: string) => `
  INSERT INTO redemption_plans (id, old_id, tenant, kind, frequency, investor_profile, mf_investment_account, scheme, installment_day,
    number_of_installments, auto_generate, first_now, payment_method, payment_source, gateway, created_at, state, consent,
    installment_head, start_date, end_date, review_completed_at, confirmed_at, submitted_at, activated_at)
  SELECT 'mfpp_' || ${hex}, 1000000 + n, '${tenant}', 'purchase', ${frequency}, 'invp_' || ${hex}, 'mfia_' || ${hex}, 'INF846K01EW2',
    CASE WHEN ${frequency} = 'daily' THEN NULL ELSE 2 END, 60, true, false, 'mandate', 7001, 'gatewaypoa', '2026-09-20', 'active',
    jsonb_build_object('email', 'investor' || n || '@example.com', 'isd_code', null, 'mobile', null), ${HEAD},
    ${first}, '2057-11-05', '2026-09-20', '2026-09-20', '2026-09-20', '2026-09-20'
  FROM generate_series(1, ${count}) AS n`;

export const purchasesOf = (count: number, tenant: string) => `
  INSERT INTO plan_installments (plan_id, installment_number, tenant, redemption, state, nominal_date, date, generated_at, ended_at,
    amount, payment_source, payable_until, outcome)
  SELECT 'mfpp_' || ${hex}, ${made}, '${tenant}', 'mfp_' || ${hex}, 'under_review', date '${next}' - 30, date '${next}' - 30,
    '2026-10-05', '2026-10-07', ${amount}, 7001, '2026-10-11', 'successful' FROM generate_series(1, ${count}) AS n`;

export const purchaseCoursesOf = (count: number, tenant: string, dueAt: Date, events: number) => `
  INSERT INTO plan_courses (plan_id, tenant, kind, frequency, event_seq, number_of_installments, made, first_by_day, next_nominal,
    next_date, generate_at, previous_date, amount, last_amount, payment_source, mandate_limit, step_up_type, step_up_value,
    step_up_frequency)
  SELECT 'mfpp_' || ${hex}, '${tenant}', 'purchase', ${frequency}, ${events}, 60, ${made}, ${first}, '${next}', '${next}',
    '${dueAt.toISOString()}', date '${next}' - 30, ${amount}, ${amount}, 7001, 15000,
    CASE WHEN ${stepsUp} THEN 'amount' END, CASE WHEN ${stepsUp} THEN 500 END, CASE WHEN ${stepsUp} THEN 'half_yearly' END
  FROM generate_series(1, ${count}) AS n`;
