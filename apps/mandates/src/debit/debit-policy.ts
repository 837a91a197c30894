import {
  addDays,
  businessDaysAfter,
  isBusinessDay,
  istDate,
  istInstant,
  type Holidays,
} from '@fundrail/contracts';
import type { DebitDay, PaymentFailureCode } from '@fundrail/contracts';
import { minutesOf, parametersAt, policyAt, type DebitWindow } from '@fundrail/policies';

/** The figures at an instant, as configured and within the policies of that day (`config.ts`). Durations in milliseconds. */
export interface DebitRules {
  /** From the time when the notice was sent to the execution. At least the law's minimum. */
  readonly noticeMs: number;
  readonly windows: readonly DebitWindow[];
  /** No call is made with less than this left of a window: it would arrive too late. */
  readonly windowMarginMs: number;
  /** The attempt and its retries. */
  readonly mostAttempts: number;
  /** How long a result can take before an operator has to check. The attempt stays open. */
  readonly resultWithinMs: number;
  /** How long after an execution by UPI the provider is asked about it first, in seconds. */
  readonly firstStatusSeconds: number;
  /** When an e-mandate's debits start, `HH:MM` IST, and on how many calendar days after the first they are retried. */
  readonly emandateFrom: string;
  readonly emandateRetryDays: number;
  /** The current state of the holiday list (CONV-33). */
  readonly holidays: Holidays;
}

type DebitMandateType = 'UPI' | 'E_MANDATE';
/** When a debit was admitted, and on which days it may be debited first; null for the default of `nach_debit_days`. */
interface Admitted {
  readonly admitted_at: Date;
  readonly first_on: DebitDay | null;
}

/** In India every day has 24 hours. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** The law's minimum notice for a debit at that time (`pre_debit_notice`). No configuration can go below it. */
export function leastNoticeMs(executeAt: Date): number {
  return (policyAt('pre_debit_notice', executeAt)?.parameters.least_hours ?? 0) * HOUR_MS;
}

/** Whether a retry in a later window can succeed. */
const RETRY_HELPS: Readonly<Record<PaymentFailureCode, boolean>> = {
  // Temporary: the account can be filled, and the bank, the app or the provider can be available again.
  insufficient_funds: true,
  bank_downtime: true,
  pg_timeout: true,
  pg_server_error: true,
  upi_app_unavailable: true,
  // Permanent: a retry would be refused again.
  user_cancelled: false,
  investor_bank_declined: false,
  bank_not_enabled: false,
  invalid_upi_id: false,
  invalid_bank_account: false,
  invalid_credentials: false,
  mandate_cancelled: false,
  mandate_limit_exceeded: false,
  debit_opted_out: false,
  tpv_failed: false,
  auth_in_progress: false,
  // Unclear: an account is not debited again on a guess.
  payment_failed: false,
  payment_expired: false,
  pg_payment_expired: false,
};

export function retryHelps(code: PaymentFailureCode): boolean {
  return RETRY_HELPS[code];
}

/** When a debit is executed after a notice that was sent at `noticeAt` (UPI Autopay). */
export function executionAfterNotice(noticeAt: Date, rules: DebitRules): Date {
  return nextExecution(new Date(noticeAt.getTime() + rules.noticeMs), rules);
}

/** Whether an execution at `executeAt` keeps the law's minimum time after the notice. */
export function keepsNotice(executeAt: Date, noticeAt: Date): boolean {
  return executeAt.getTime() - noticeAt.getTime() >= leastNoticeMs(executeAt);
}

/** The first time from `from` on in a window with enough time left (UPI Autopay). */
export function nextExecution(from: Date, rules: DebitRules): Date {
  const span = spansFrom(from, rules.windows).find(
    ({ start, end }) => end - Math.max(start, from.getTime()) >= rules.windowMarginMs,
  );
  if (!span) throw new Error('no window of the rules is longer than their margin');
  return new Date(Math.max(span.start, from.getTime()));
}

/**
 * When an e-mandate's debit is executed: from the configured hour on the first day after its admission that the tenant's choice or
 * `nach_debit_days` names, or on a later one.
 */
export function emandateExecution({ admitted_at, first_on }: Admitted, now: Date, rules: DebitRules): Date {
  const kind = first_on ?? parametersAt('nach_debit_days', now).first_on;
  const start = (day: string) => istInstant(firstDay(kind, day, rules), rules.emandateFrom);
  const first = start(addDays(istDate(admitted_at), 1));
  return first >= now ? first : later(start(istDate(now)), now);
}

/** The first such day, from that one on. */
function firstDay(kind: string, date: string, { holidays }: DebitRules): string {
  return kind === 'calendar_day' || isBusinessDay(date, holidays)
    ? date
    : businessDaysAfter(date, 1, holidays);
}

/** The expected execution of a debit that is admitted at that time, if its order is submitted soon. */
export function expectedExecution(type: DebitMandateType, admitted: Admitted, rules: DebitRules): Date {
  const { admitted_at: now } = admitted;
  return type === 'UPI' ? executionAfterNotice(now, rules) : emandateExecution(admitted, now, rules);
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

/** When the debit is retried, or null when it has failed. */
export function retryAt(failed: FailedAttempt, rules: DebitRules): Date | null {
  if (failed.number >= rules.mostAttempts || !retryHelps(failed.failure_code)) return null;
  return failed.mandate_type === 'UPI' ? inLaterWindow(failed, rules) : onLaterDay(failed, rules);
}

/** A window after that of the attempt. When the result came in a later window, that window is used. */
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
 * When an e-mandate is debited again: on the day of `from` or the next that `nach_debit_days` names, not before `from`, or null once the
 * days for retries are over.
 */
export function emandateRetry(firstStartedAt: Date, from: Date, rules: DebitRules): Date | null {
  const last = addDays(istDate(firstStartedAt), rules.emandateRetryDays);
  const day = firstDay(parametersAt('nach_debit_days', from).retries_on, istDate(from), rules);
  return day > last ? null : later(istInstant(day, rules.emandateFrom), from);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** Whether a result takes longer than the provider's documentation allows. */
export function isResultOverdue(startedAt: Date, now: Date, rules: DebitRules): boolean {
  return now.getTime() - startedAt.getTime() > rules.resultWithinMs;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The windows that end after `at`, in the order of their starts. Covers the longest pause between two. */
function spansFrom(at: Date, windows: readonly DebitWindow[]): Span[] {
  const today = istInstant(istDate(at)).getTime();
  return [-1, 0, 1, 2]
    .map((days) => today + days * DAY_MS)
    .flatMap((midnight) => windows.map((window) => spanOf(midnight, window)))
    .filter(({ end }) => end > at.getTime())
    .sort((one, other) => one.start - other.start);
}

function spanOf(midnight: number, window: DebitWindow): Span {
  const start = midnight + window.from * MINUTE_MS;
  return { start, end: start + minutesOf(window) * MINUTE_MS };
}
