import {
  addDays,
  businessDaysAfter,
  isBusinessDay,
  istDate,
  istInstant,
  type Holidays,
} from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';

/**
 * The rules by which a mandate is debited, and where they come from (contract §4 "Debits"). The figures are configurable
 * (`DebitRules`), these are their sources and defaults.
 */
export const DEBIT_POLICY = {
  notice: {
    name: 'RBI e-mandate framework, 21 April 2026',
    in_force_from: '2026-04-21',
    says: 'the payer is told of amount and date at least 24 hours before each debit, and may opt out',
    source:
      'Reserve Bank of India, Digital Payments - E-mandate Framework, 2026, as reported by ' +
      'https://www.financialexpress.com/business/news-rbi-eases-e-mandate-rules-recurring-payments-up-to-rs-15000-can-be-done-without-otp-pre-and-post-debit-alerts-remain-mandatory-4214431/',
    least_hours: 24,
    /** The hour more is for a notice that reaches the investor late: Razorpay too debits in the 25th hour. */
    default_hours: 25,
  },
  windows: {
    name: 'NPCI Autopay windows, 1 August 2025',
    in_force_from: '2025-08-01',
    says: 'Autopay debits are executed outside of the peak hours 10:00-13:00 and 17:00-21:30 only, one attempt and up to three retries',
    source:
      'NPCI circular to UPI members on the usage of UPI APIs, 21 May 2025, as reported by ' +
      'https://www.digit.in/news/general/upi-alert-npcis-new-rules-kick-in-from-august-1-heres-what-changes.html and ' +
      'https://docs.payu.in/docs/upi-integration-tpv-with-s2s-flow',
    /** From 21:30 until 10:00 is one window over midnight: a retry two hours later would meet the same empty account. */
    default: '13:00-17:00,21:30-10:00',
    /** NPCI's peak hours, IST, in which nothing is executed. */
    peak: '10:00-13:00,17:00-21:30',
    most_attempts: 4,
  },
  confirmation: {
    name: 'fundrail contract §2 `order_expiry`, decision 0014',
    says: 'an order that nobody confirms is held for seven business days, and not longer by a debit that waits for it',
    default_business_days: 7,
  },
  result: {
    name: 'Razorpay, subsequent payments',
    says: 'the result of a debit may take 36 hours, and no other one may be begun until it is known',
    source:
      'https://razorpay.com/docs/payments/payment-gateway/s2s-integration/recurring-payments/upi/subsequent-payments',
    default_hours: 36,
  },
  e_mandate: {
    name: 'fundrail contract §4, §10 "Mandates"',
    says: 'an e-mandate is debited on the business day after its admission from 10:00, with retries on up to two calendar days',
    default_from: '10:00',
    default_retry_days: 2,
  },
} as const;

/** Part of every day, in minutes since midnight IST. `to` is not part of it; it lies on the next day when it is not after `from`. */
export interface DebitWindow {
  readonly from: number;
  readonly to: number;
}

/** The figures of the policy. Durations in milliseconds. */
export interface DebitRules {
  /** Between the provider's word that the notice is out and the execution. At least the law's 24 hours. */
  readonly noticeMs: number;
  readonly windows: readonly DebitWindow[];
  /** A window with less than this left is not begun: the call would arrive after it. */
  readonly windowMarginMs: number;
  /** The attempt and its retries. */
  readonly mostAttempts: number;
  /** How many business days a debit waits for its order to be confirmed. It ends at 00:00 IST of the next one. */
  readonly confirmBusinessDays: number;
  /** How long a result may take before somebody has to look. The attempt stays open. */
  readonly resultWithinMs: number;
  /** When an e-mandate's debits begin, `HH:MM` IST, and on how many calendar days after the first they are tried again. */
  readonly emandateFrom: string;
  readonly emandateRetryDays: number;
  /** The one holiday list (contract §10 "Mandates"), as it is at the moment. */
  readonly holidays: Holidays;
}

export type DebitMandateType = 'UPI' | 'E_MANDATE';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** The law's least notice; no configuration goes below it. */
export const LEAST_NOTICE_MS = DEBIT_POLICY.notice.least_hours * HOUR_MS;

/** Whether a failed attempt may go better in a later window. */
const RETRY_HELPS: Readonly<Record<PaymentFailureCode, boolean>> = {
  // The account may be filled, the bank, the app or the provider back.
  insufficient_funds: true,
  bank_downtime: true,
  pg_timeout: true,
  pg_server_error: true,
  upi_app_unavailable: true,
  // The investor, the bank or the mandate says no, and would again.
  user_cancelled: false,
  investor_bank_declined: false,
  bank_not_enabled: false,
  invalid_upi_id: false,
  invalid_bank_account: false,
  invalid_credentials: false,
  mandate_cancelled: false,
  mandate_limit_exceeded: false,
  tpv_failed: false,
  auth_in_progress: false,
  // Nobody knows what to expect: another debit of an account is not made on a guess.
  payment_failed: false,
  payment_expired: false,
  pg_payment_expired: false,
};

export function retryHelps(code: PaymentFailureCode): boolean {
  return RETRY_HELPS[code];
}

/** When a debit is executed whose notice is out at `noticeAt` (UPI Autopay). */
export function executionAfterNotice(noticeAt: Date, rules: DebitRules): Date {
  return nextExecution(new Date(noticeAt.getTime() + rules.noticeMs), rules);
}

/** Whether an execution planned for `executeAt` leaves the investor the time that the law gives. */
export function keepsNotice(executeAt: Date, noticeAt: Date): boolean {
  return executeAt.getTime() - noticeAt.getTime() >= LEAST_NOTICE_MS;
}

/** The first time from `from` on in a window that is still long enough to begin (UPI Autopay). */
export function nextExecution(from: Date, rules: DebitRules): Date {
  const span = spansFrom(from, rules.windows).find(
    ({ start, end }) => end - Math.max(start, from.getTime()) >= rules.windowMarginMs,
  );
  if (!span) throw new Error('no window of the rules is longer than their margin');
  return new Date(Math.max(span.start, from.getTime()));
}

/** When an e-mandate's debit is executed: from the hour it begins on the business day after its admission, or on a later one. */
export function emandateExecution(admittedAt: Date, now: Date, rules: DebitRules): Date {
  const { emandateFrom, holidays } = rules;
  const first = istInstant(businessDaysAfter(istDate(admittedAt), 1, holidays), emandateFrom);
  if (first >= now) return first;
  const today = istDate(now);
  const businessDay = isBusinessDay(today, holidays) ? today : businessDaysAfter(today, 1, holidays);
  return later(istInstant(businessDay, emandateFrom), now);
}

/** When a debit is expected to be executed that is admitted now and whose order is submitted soon. */
export function expectedExecution(type: DebitMandateType, now: Date, rules: DebitRules): Date {
  return type === 'UPI' ? executionAfterNotice(now, rules) : emandateExecution(now, now, rules);
}

/** When a debit that is raised now has waited long enough for its order: 00:00 IST, as `order_expiry` strikes. */
export function unconfirmedAt(raisedAt: Date, rules: DebitRules): Date {
  return istInstant(businessDaysAfter(istDate(raisedAt), rules.confirmBusinessDays + 1, rules.holidays));
}

/** An attempt that ended without money. */
export interface FailedAttempt {
  readonly mandate_type: DebitMandateType;
  /** Counts from 1. */
  readonly number: number;
  readonly failure_code: PaymentFailureCode;
  readonly started_at: Date;
  readonly ended_at: Date;
  /** When the debit's first attempt was made. */
  readonly first_started_at: Date;
}

/** When the debit is tried again, or null: it has failed. */
export function retryAt(failed: FailedAttempt, rules: DebitRules): Date | null {
  if (failed.number >= rules.mostAttempts || !retryHelps(failed.failure_code)) return null;
  return failed.mandate_type === 'UPI' ? inLaterWindow(failed, rules) : onLaterDay(failed, rules);
}

/** Not in the window of the attempt; when its result came only after that, the one in which it came will do. */
function inLaterWindow({ started_at, ended_at }: FailedAttempt, rules: DebitRules): Date {
  const own = spansFrom(started_at, rules.windows)[0];
  const from = own && own.start <= started_at.getTime() ? Math.max(own.end, ended_at.getTime()) : ended_at;
  return nextExecution(new Date(from), rules);
}

function onLaterDay({ started_at, ended_at, first_started_at }: FailedAttempt, rules: DebitRules) {
  const nextDay = istInstant(addDays(istDate(started_at), 1));
  return emandateRetry(first_started_at, later(nextDay, ended_at), rules);
}

/**
 * When an e-mandate is debited again, at `from` or later on its day, or null once its days are over. NACH runs on every
 * calendar day, so a retry waits for no business day.
 */
export function emandateRetry(firstStartedAt: Date, from: Date, rules: DebitRules): Date | null {
  const last = addDays(istDate(firstStartedAt), rules.emandateRetryDays);
  return istDate(from) > last ? null : later(istInstant(istDate(from), rules.emandateFrom), from);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Whether a result is later than the provider says it may be. */
export function isResultOverdue(startedAt: Date, now: Date, rules: DebitRules): boolean {
  return now.getTime() - startedAt.getTime() > rules.resultWithinMs;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The windows that end after `at`, in the order of their beginnings: enough days for the longest pause between two. */
function spansFrom(at: Date, windows: readonly DebitWindow[]): Span[] {
  const today = istDate(at);
  const days = [-1, 0, 1, 2].map((days) => istInstant(addDays(today, days)).getTime());
  return days
    .flatMap((midnight) => windows.map((window) => spanOf(midnight, window)))
    .filter(({ end }) => end > at.getTime())
    .sort((one, other) => one.start - other.start);
}

function spanOf(midnight: number, window: DebitWindow): Span {
  const start = midnight + window.from * MINUTE_MS;
  return { start, end: start + minutesOf(window) * MINUTE_MS };
}

/** Whether two windows have a minute in common. */
export function overlap(one: DebitWindow, other: DebitWindow): boolean {
  return spansOfDay(one).some(([from, to]) =>
    spansOfDay(other).some(([otherFrom, otherTo]) => from < otherTo && otherFrom < to),
  );
}

/** The parts of one day that a window is open: two when it goes over midnight. */
function spansOfDay({ from, to }: DebitWindow): [number, number][] {
  if (to > from) return [[from, to]];
  return [
    [from, DAY_MINUTES],
    [0, to],
  ];
}

/** How long a window is open. */
export function minutesOf({ from, to }: DebitWindow): number {
  return to > from ? to - from : to - from + DAY_MINUTES;
}

/** Reads `13:00-17:00,21:30-10:00`; null when it is not that. */
export function readWindows(text: string): DebitWindow[] | null {
  const windows = text.split(',').map((part) => {
    const match = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(part.trim());
    const [hours = NaN, minutes = NaN, toHours = NaN, toMinutes = NaN] = match?.slice(1).map(Number) ?? [];
    const isTime = hours < 24 && minutes < 60 && toHours <= 24 && toMinutes < 60;
    return isTime ? { from: hours * 60 + minutes, to: toHours * 60 + toMinutes } : null;
  });
  return windows.every((window) => window !== null && window.to <= DAY_MINUTES)
    ? windows.filter((window) => window !== null)
    : null;
}
