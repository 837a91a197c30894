import type { ServiceName } from '@fundrail/contracts';

/**
 * What bounds a table: `goes`, rows are removed by themselves; `record`, what was agreed with an investor, kept as long as books
 * are; `small`, a row a tenant, client, day of a calendar or the like, or one row at all.
 */
export interface Bound {
  readonly kind: 'goes' | 'record' | 'small';
  readonly says: string;
  /** How long a row is kept, in milliseconds, where its age alone decides. A test lets rows become so old. */
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
  due_work: goes('a row goes when its work is done; what is open has one or a few'),
  idempotency_keys: goesAfter('24 hours', 'the request, in business time'),
  business_clock: small('one row'),
  outbox: goesAfter('7 days', 'it was published'),
  inbox: goesAfter('14 days', 'it was handled'),
  parked_events: goesAfter('30 days', 'it was replayed or given up; one that waits stays'),
  reconciliation_run: small('one row'),
  reconciliation_seen: goes('with the next run'),
  reconciliation_findings: goes('those of the last two runs stay'),
};

const CALLBACKS = goesAfter('30 days', 'the callback');
const HOLIDAYS = small('a row a year');

/** What each service has besides. A test compares this with the schemas that the migrations make. */
export const BOUNDS: Readonly<Record<ServiceName, Readonly<Record<string, Bound>>>> = {
  identity: {
    tenants: small('one row a tenant'),
    clients: small('one row a client'),
    signing_keys: goes('an hour after the key was last used; a new one every 30 days'),
    investor_profiles: record('one row an investor'),
    bank_accounts: record('one row a bank account'),
    mf_investment_accounts: record('one row an investment account'),
    audit_entries: record('one row a call of an operator'),
    sandbox_seed: small('one row'),
    rate_buckets: goesAfter(
      '35 minutes',
      'it was last used: two rows a tenant, and some an address that guesses at secrets',
    ),
  },
  orders: {
    mf_orders: record('one row an order'),
    mf_order_history: record('a row a step of an order'),
    gateway_events: CALLBACKS,
    installment_draws: goesAfter('24 hours', 'the request, if not with the answer of its plan'),
    holiday_copies: HOLIDAYS,
  },
  payments: {
    payment_ids: record('one row a payment or voided id: an id is never used twice'),
    payments: record('one row a payment'),
    payment_orders: record('a row an order of a payment'),
    payment_history: record('a row a step of a payment'),
    captures: record('a row for money that came in'),
    refunds: record('a row for money that went back'),
    order_states: record('one row an order that was paid or tried to be'),
    provider_events: CALLBACKS,
    checkout_attempts: record('a row an attempt on the hosted page, some for a payment'),
    mandate_tokens: record('one row a mandate'),
    debits: record('one row a debit'),
    debit_attempts: record('at most four rows a debit'),
    order_debits: record('one row an installment that is collected'),
    debit_pace: small('a row a provider'),
    payment_counts: record('a row a tenant, day, type and status'),
    payment_count_deltas: goes('a second after it was written, into payment_counts'),
    holiday_copies: HOLIDAYS,
  },
  mandates: {
    mandates: record('one row a mandate'),
    mandate_history: record('a row a step of a mandate'),
    mandate_debits: record('one row a debit'),
    mandate_permits: record('a row a call that debits'),
    mandate_revocations: record('at most a row a token'),
    mandate_provider_events: goesAfter('90 days', 'the callback'),
  },
  swp: {
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
    events: goesAfter('31 days', 'it came, or with its last delivery'),
    webhook_deliveries: goesAfter('30 days', 'it was made, or with its end'),
    delivery_attempts: goesAfter('30 days', 'it was stored, a day at a time'),
    delivery_attempts_other: goesAfter('30 days', 'it was stored: attempts that have no day yet'),
    webhook_replays: goesAfter('30 days', 'it was made, or with its end'),
  },
  simulator: {},
};
