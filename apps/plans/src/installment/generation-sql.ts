import { EVENTS, MOST_RUPEES } from '@fundrail/contracts';
import { CHECK_AGAIN, MANDATE_CHECK_DAYS, PLAN_DUE } from '../plan/plan-due.ts';
import { followingNominal } from '../schedule/schedule-sql.ts';
import { STEP_UP_MONTHS } from '../schedule/step-up.ts';

const REDEMPTION = 'mf_redemption_plan.installment_generated';
const PURCHASE = 'mf_purchase_plan.installment_generated';

/**
 * What follows the prefix of a time-ordered id in the format of `newId`: 48 bits of the time in milliseconds, the version, 74 random bits.
 * An installment's order and its event have the same, after their own prefixes. The statement's time is read once, not for each row.
 */
const IDENTITY = `(SELECT lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7')
              || substr(replace(gen_random_uuid()::text, '-', ''), 14)`;
const ORDER_ID = `CASE kind WHEN 'purchase' THEN 'mfp_' ELSE 'mfrd_' END || identity`;

/** The time of the day, in IST, until which the investor may pay. */
const PAYABLE_UNTIL = '23:00:00';

/** How installments of both kinds name a column of the statement that prints them. */
interface JsonColumns {
  readonly kind: string;
  readonly head: string;
  readonly consent: string;
  readonly userIp: string;
  readonly number: string;
  readonly order: string;
  readonly state: string;
  readonly nominal: string;
  readonly date: string;
  /** The time as text, in IST. */
  readonly payableUntil: string;
  readonly amount: string;
  readonly source: string;
  readonly folio: string;
}

/**
 * The JSON of `planInstallment` or of `purchaseInstallment`, built from its fixed head and an installment's columns. PostgreSQL escapes what
 * needs escaping.
 */
const jsonOf = (columns: JsonColumns) =>
  `${columns.head} || ',"consent":' || CASE WHEN ${columns.state} = 'cancelled' THEN 'null,"user_ip":null'
          ELSE ${columns.consent} || ',"user_ip":' || coalesce(to_json(${columns.userIp})::text, 'null') END
     || ',"installment_number":' || ${columns.number}
     || CASE ${columns.kind} WHEN 'purchase' THEN ',"folio_number":' || coalesce(to_json(${columns.folio})::text, 'null')
          || ',"amount":' || ${columns.amount} || ',"payment_source":' || coalesce(${columns.source}::text, 'null')
          || ',"payable_until":"' || ${columns.payableUntil} || '","purchase":"' ELSE ',"redemption":"' END || ${columns.order}
     || '","state":"' || ${columns.state} || '","nominal_date":"' || ${columns.nominal} || '","date":"' || ${columns.date} || '"}'`;

const MADE_JSON = jsonOf({
  kind: 'kind',
  head: 'installment_head',
  consent: 'consent::text',
  userIp: 'user_ip',
  number: 'number',
  order: ORDER_ID,
  state: 'state',
  nominal: 'next_nominal',
  date: 'next_date',
  payableUntil: `payable_on || 'T${PAYABLE_UNTIL}.000+05:30'`,
  amount: 'amount',
  source: 'debited',
  folio: 'folio_number',
});
/** The same of a stored installment `i` and its plan `p`. */
export const STORED_JSON = jsonOf({
  kind: 'p.kind',
  head: 'p.installment_head',
  consent: 'p.consent::text',
  userIp: 'p.user_ip',
  number: 'i.installment_number',
  order: 'i.redemption',
  state: 'i.state',
  nominal: 'i.nominal_date',
  date: 'i.date',
  payableUntil: `to_char(i.payable_until AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '+05:30'`,
  amount: 'i.amount',
  source: 'i.payment_source',
  folio: 'p.folio_number',
});

const stepMonths = Object.entries(STEP_UP_MONTHS)
  .map(([frequency, months]) => `WHEN '${frequency}' THEN ${months}`)
  .join(' ');
/** `nextAmount` in SQL, of the course `d`: whether a step is due, and the amount after it. */
const STEP = `
  SELECT coalesce(d.next_nominal >= (d.first_by_day
           + make_interval(months => (CASE d.step_up_frequency ${stepMonths} END) * (d.steps_passed + 1)))::date, false) AS is_due,
         least(CASE d.step_up_type WHEN 'amount' THEN d.amount + d.step_up_value
                 WHEN 'percentage' THEN greatest(d.amount, floor(d.amount * (100 + d.step_up_value) / 100)) END,
               coalesce(d.step_up_max, ${MOST_RUPEES.toFixed2()})) AS amount`;
/** A mandate's notice needs a day (`leadDays`). */
const LEAD = `CASE WHEN d.kind = 'purchase' AND d.payment_source IS NOT NULL THEN interval '1 day' ELSE interval '0' END`;

/**
 * Generates one installment for each plan due at $1, as `due` chooses and locks them. Writes the installment,
 * advances the plan's course, appends the event for orders, and schedules the next mandate check. A plan that another scheduler or
 * a request has locked is skipped and comes with that scheduler or the next batch. A row that changed in the meantime is read
 * again, so skips, cancels and changes of a purchase plan's terms count up to this moment: they are columns of the course. The
 * following date comes from the schedule (`first_by_day` plus that many steps), moved by the business calendar. `OFFSET 0` and `= ANY` keep every plan of the
 * statement from reading other rows (decision 0010).
 *
 * A first installment "now" is paid by the investor himself (SIP-11), so its event names no mandate to debit.
 */
export const generation = (due: string) =>
  `WITH made AS MATERIALIZED (
     SELECT d.plan_id, d.tenant,
            CASE WHEN d.frequency <> 'daily' AND coalesce(d.payment_source, p.payment_source) IS NOT NULL
                 THEN following.generate_at - interval '${MANDATE_CHECK_DAYS * 24} hours' END AS look_at,
            CASE WHEN d.skips @> d.next_date THEN 'cancelled' ELSE 'under_review' END AS state,
            d.generate_at, d.kind, d.made + 1 AS number, ${IDENTITY} AS identity, d.next_nominal, d.next_date,
            CASE WHEN NOT (p.first_now AND d.made = 0) THEN d.payment_source END AS debited,
            (CASE WHEN step.is_due AND step.amount <= coalesce(d.mandate_limit, step.amount) THEN step.amount ELSE d.amount END)::numeric(22,4) AS amount,
            CASE d.kind WHEN 'purchase' THEN CASE d.frequency WHEN 'daily' THEN d.next_date
              ELSE greatest(d.next_date, least(d.next_date + 6, following.moved - 1)) END END AS payable_on,
            d.event_seq + 1 AS event_seq, d.steps_passed + step.is_due::integer AS steps_passed,
            following.day AS following_nominal, following.moved AS following_date, following.generate_at - ${LEAD} AS following_at,
            p.installment_head, p.consent, p.user_ip, d.folio_number
       FROM (SELECT plan_id, tenant, kind, frequency, event_seq, number_of_installments, made, first_by_day, next_nominal, next_date,
                    generate_at, skips, amount, payment_source, mandate_limit, folio_number,
                    step_up_type, step_up_value, step_up_frequency, step_up_max, steps_passed
               FROM ${due}) AS d
       CROSS JOIN LATERAL (SELECT * FROM redemption_plans WHERE id = d.plan_id OFFSET 0) p
       CROSS JOIN LATERAL (${STEP}) AS step
       LEFT JOIN LATERAL (SELECT * FROM business_calendar WHERE day = ${followingNominal('d')} OFFSET 0) following
         ON d.made + 1 < d.number_of_installments
   ), moved AS (
     UPDATE plan_courses c
        SET event_seq = m.event_seq, made = m.number, previous_date = m.next_date, next_nominal = m.following_nominal,
            next_date = m.following_date, generate_at = m.following_at,
            amount = m.amount, last_amount = m.amount, steps_passed = m.steps_passed
       FROM made m WHERE c.plan_id = m.plan_id AND c.plan_id = ANY (ARRAY(SELECT plan_id FROM made))
   ), stored AS (
     INSERT INTO plan_installments (plan_id, installment_number, tenant, redemption, state, nominal_date, date, generated_at,
            amount, payment_source, payable_until)
     SELECT plan_id, number, tenant, ${ORDER_ID}, state, next_nominal, next_date, $1, amount, debited,
            (payable_on + time '${PAYABLE_UNTIL}') AT TIME ZONE 'Asia/Kolkata'
       FROM made
   ), published AS (
     INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data, traceparent)
     SELECT 'evt_' || identity, CASE kind WHEN 'purchase' THEN '${PURCHASE}' ELSE '${REDEMPTION}' END,
            CASE kind WHEN 'purchase' THEN ${EVENTS[PURCHASE].version} ELSE ${EVENTS[REDEMPTION].version} END,
            tenant, plan_id, event_seq, $1, '{"object":' || ${MADE_JSON} || ',"previous_attributes":null}', $3
       FROM made
   ), looked_at AS (
     INSERT INTO due_work (kind, key, tenant, due_at, traceparent)
     SELECT '${PLAN_DUE.checkMandate}', plan_id, tenant, look_at, $3 FROM made WHERE look_at IS NOT NULL
     ${CHECK_AGAIN}
   )
   SELECT count(*) AS installments, count(*) FILTER (WHERE state = 'cancelled') AS skipped, min(generate_at) AS earliest,
          max(generate_at) AS latest FROM made`;
