import type { ServiceName } from '@fundrail/contracts';
import { POLICIES } from '@fundrail/policies';

/**
 * What limits the size of a table: `goes`, rows are deleted automatically; `record`, what was agreed with an investor, kept as long
 * as the books; `small`, one row per tenant, client, calendar day or the like, or a single row.
 */
export interface Bound {
  readonly kind: 'goes' | 'record' | 'small';
  readonly says: string;
  /** How long a row is kept, in milliseconds, when only its age decides. A test creates rows of this age. */
  readonly keptMs?: number;
}

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
type Age = `${number} ${keyof typeof UNIT_MS}`;

const goes = (says: string): Bound => ({ kind: 'goes', says });
/** `age` after what happened. */
const goesAfter = (age: Age, what: string): Bound => {
  const [many, unit] = age.split(' ') as [string, keyof typeof UNIT_MS];
  return { kind: 'goes', says: `${age} after ${what}`, keptMs: Number(many) * UNIT_MS[unit] };
};
const record = (says: string): Bound => ({ kind: 'record', says });
const small = (says: string): Bound => ({ kind: 'small', says });

/** In every service's database. */
export const COMMON_BOUNDS: Readonly<Record<string, Bound>> = {
  migrations: small('one row a migration'),
  due_work: goes('a row is deleted when its work is done; an open object has one or a few'),
  idempotency_keys: goesAfter('24 hours', 'the request, in wall time'),
  business_clock: small('one row'),
  hashing_secrets: small('one row'),
  outbox: goesAfter('7 days', 'it was published'),
  inbox: goesAfter('14 days', 'it was handled'),
  parked_events: goesAfter('30 days', 'it was replayed or discarded; one that waits stays'),
  reconciliation_run: small('one row'),
  reconciliation_seen: goes('with the next run'),
  reconciliation_findings: goes('the findings of the last two runs stay'),
};

/** As `log_days` of `personal_data_retention` says; an override may change it. */
const [{ parameters }] = POLICIES.personal_data_retention.versions;
const LOG_DAYS = `${parameters.log_days} days` as const;
const CALLBACKS = goesAfter(LOG_DAYS, 'the callback');
const HOLIDAYS = small('a row a year');

/** The further tables of each service. A test compares them with the schemas that the migrations create. */
export const BOUNDS: Readonly<Record<ServiceName, Readonly<Record<string, Bound>>>> = {
  identity: {
    tenants: small('one row a tenant'),
    tenant_logos: small('one row per tenant, at most 64 KiB'),
    clients: small('one row a client'),
    signing_keys: goes('an hour after the key was last used; a new one every 30 days'),
    investor_profiles: record('one row an investor'),
    bank_accounts: record('one row a bank account'),
    mf_investment_accounts: record('one row per investment account'),
    profile_details: record('one row per phone number, e-mail address, address or related party'),
    erasures: record('at most one row an investor'),
    audit_entries: record('one row per call of an operator'),
    sandbox_seed: small('one row'),
    sign_ins: goesAfter('30 days', 'the last sign-in of a client from an address; one row each'),
    rate_buckets: goesAfter(
      '35 minutes',
      'its last use: two rows per tenant, and some per address that guesses secrets',
    ),
  },
  orders: {
    mf_orders: record('one row an order'),
    mf_order_history: record('a row a step of an order'),
    gateway_events: CALLBACKS,
    installment_draws: goesAfter('24 hours', 'the request, or earlier with the answer of its plan'),
    holiday_copies: HOLIDAYS,
  },
  payments: {
    payment_ids: record('one row per payment or voided id: an id is never used twice'),
    payments: record('one row a payment'),
    payment_orders: record('one row per order of a payment'),
    payment_history: record('one row per step of a payment'),
    captures: record('one row per received amount'),
    refunds: record('one row per refund'),
    order_states: record('one row per order with a payment attempt, or that ended without one'),
    provider_events: CALLBACKS,
    provider_calls: goesAfter('90 days', 'the last call; one row per payment, transfer and refund'),
    asked_now: goesAfter('7 days', 'an operator asked about a payment at once'),
    upi_requests: record('one row per payment by UPI'),
    checkouts: record('one row per payment by page or SDK'),
    authorisations: record('one row per authorisation of a mandate'),
    checkout_attempts: record('one row per attempt on the hosted page, a few per payment'),
    mandate_tokens: record('one row a mandate'),
    debits: record('a row of a debit of release 0.1 that was not handed over to mandates yet'),
    debit_attempts: record('its attempts'),
    order_debits: record('one row per collected installment'),
    debit_pace: small('nothing: mandates keeps the pace'),
    payment_counts: record('one row per tenant, day, type and status'),
    payment_count_deltas: goes('a second after it was written, when it is added to payment_counts'),
    holiday_copies: HOLIDAYS,
  },
  mandates: {
    mandates: record('one row a mandate'),
    mandate_history: record('one row per step of a mandate'),
    mandate_debits: record('one row a debit'),
    mandate_permits: record('a row a call of release 0.1 that debited'),
    debit_attempts: record('at most four rows per debit'),
    debit_pace: small('a row a provider'),
    provider_calls: goesAfter('90 days', 'the last call; one row per notice and attempt of a debit'),
    asked_now: goesAfter('7 days', 'an operator asked about a debit at once'),
    holiday_copies: HOLIDAYS,
    mandate_revocations: record('at most a row a token'),
    mandate_provider_events: CALLBACKS,
  },
  plans: {
    redemption_plans: record('one row a plan'),
    plan_courses: record('one row a plan'),
    redemption_plan_history: record('a row a step of a plan'),
    plan_installments: record('one row an installment'),
    skip_instructions: record('one row an instruction'),
    gateway_events: CALLBACKS,
    business_calendar: small('a row a day'),
    holiday_years: HOLIDAYS,
    holidays: small('a row a holiday'),
  },
  webhooks: {
    notification_webhooks: small('a row an endpoint'),
    endpoint_paces: small('a row an endpoint'),
    endpoint_challenges: small('the challenges of the last minute with one for the tenant: at most 30'),
    events: goesAfter(
      '31 days',
      'it was received, or with its last delivery: its facts move to `past_events`',
    ),
    webhook_deliveries: goesAfter(
      '30 days',
      'it was created, or when it ends, if later: its facts move to `past_deliveries`',
    ),
    delivery_attempts: goesAfter(
      '30 days',
      'it was stored, one day at a time: its facts move to `past_attempts`',
    ),
    delivery_attempts_other: goesAfter('30 days', 'it was stored, the same: attempts that have no day yet'),
    webhook_replays: goesAfter('30 days', 'it was created, or when it ends, if later'),
    past_events: goesAfter(LOG_DAYS, 'the event was received; without its data'),
    past_deliveries: goesAfter(LOG_DAYS, 'the delivery was created'),
    past_attempts: goesAfter(
      LOG_DAYS,
      'the attempt was stored; without the answer’s body, with the host of the URL alone',
    ),
  },
  simulator: {},
};
