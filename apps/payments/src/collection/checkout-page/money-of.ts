import { businessDaysAfter, istDate } from '@fundrail/contracts';
import type { Decimal, Holidays, PaymentFailureCode } from '@fundrail/contracts';
import type { PaymentRow, RefundRow } from '../../payment/payment.tables.ts';

/** Money of a payment that goes or went back to the investor. */
export interface MoneyBack {
  readonly amount: Decimal;
  /** The reference of the newest refund, by which support finds it. */
  readonly reference: string;
  readonly is_back: boolean;
  /** The day, in India, on which the newest refund was created. */
  readonly since: string;
  readonly reason: RefundRow['reason'];
}

/** Where the investor's money is when a payment failed. */
export type MoneyOfFailure =
  | { readonly kind: 'not_taken' }
  /** No money was received here. If the bank has debited the account, it returns the money by itself. */
  | { readonly kind: 'perhaps_debited' }
  | ({ readonly kind: 'goes_back' } & MoneyBack);

/** Failures before the bank debits the account. */
const BEFORE_THE_DEBIT: ReadonlySet<PaymentFailureCode> = new Set([
  'invalid_upi_id',
  'bank_not_enabled',
  'investor_bank_declined',
  'user_cancelled',
  'insufficient_funds',
  'upi_app_unavailable',
  'auth_in_progress',
  'invalid_credentials',
  'invalid_bank_account',
  'mandate_cancelled',
  'mandate_limit_exceeded',
  'debit_opted_out',
]);
/** Razorpay names five to seven working days for a refund of normal speed (razorpay.com/docs/payments/refunds). */
const REFUND_BUSINESS_DAYS = 7;

/** Where the money of a failed attempt is, by its failure code alone: nothing else is known of an attempt. */
export function moneyOfAttempt(code: PaymentFailureCode | null): MoneyOfFailure {
  return { kind: code && BEFORE_THE_DEBIT.has(code) ? 'not_taken' : 'perhaps_debited' };
}

/** Where the money of a FAILED or REJECTED payment is. A refund is shown with any failure code. */
export function moneyOfFailure(
  payment: Pick<PaymentRow, 'failure_code'> & { readonly refunds: readonly RefundRow[] },
): MoneyOfFailure {
  const back = moneyBack(payment.refunds);
  return back ? { kind: 'goes_back', ...back } : moneyOfAttempt(payment.failure_code);
}

/**
 * All money that goes back to the investor, or null. A refund that the provider refused is not counted, because a new row is
 * created for it. While there is no new row yet, the refused one is shown.
 */
export function moneyBack(refunds: readonly RefundRow[]): MoneyBack | null {
  const ours = refunds.filter(({ returned_by }) => returned_by === 'provider');
  const counted = ours.filter(({ status }) => status !== 'FAILED');
  const shown = counted.length > 0 ? counted : ours.slice(-1);
  const newest = shown.at(-1);
  if (!newest) return null;
  const { reference, reason, created_at } = newest;
  return {
    amount: shown.reduce((sum, refund) => sum.plus(refund.amount), newest.amount.minus(newest.amount)),
    reference,
    reason,
    is_back: shown.every(({ status }) => status === 'SUCCESSFUL'),
    since: istDate(created_at),
  };
}

/** Money that goes back while the payment itself succeeded, one entry for each reason: paid twice, or an order that failed. */
export function moneyBackByReason(refunds: readonly RefundRow[]): readonly MoneyBack[] {
  return Object.values(Object.groupBy(refunds, ({ reason }) => reason)).flatMap(
    (one) => moneyBack(one) ?? [],
  );
}

/** The day, in India, by which the investor's bank should show the refund. Counts business days by the service's own holiday list. */
export function expectedBy({ since }: Pick<MoneyBack, 'since'>, holidays: Holidays): string {
  return businessDaysAfter(since, REFUND_BUSINESS_DAYS, holidays);
}
