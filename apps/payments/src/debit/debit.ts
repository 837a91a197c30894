import { businessDaysAfter, istDate, istInstant, istTimestamp } from '@fundrail/contracts';
import type { CollectedMoney, DebitFact, Holidays, PaymentFailureCode } from '@fundrail/contracts';
import type { NoticeStatus, PaymentCallback, ProviderPaymentStatus } from '@fundrail/providers';
import { amended, paymentMachine, transition } from '@fundrail/state-machines';
import { captured } from '../payment/capture.ts';
import {
  endedShares,
  isRedemption,
  paidOrdersChanged,
  sharesReady,
  type OrderStates,
} from '../payment/orders-of-payment.ts';
import type { ShareRow } from '../payment/payment.tables.ts';
import {
  endPayment,
  failPayment,
  stepped,
  unchanged,
  type Outcome,
  type Payment,
} from '../payment/payment.ts';
import { sharesLeft } from '../payment/refund.ts';

function isLive({ status }: Payment): boolean {
  return status === 'PENDING' || status === 'SUBMITTED';
}

/** The debit is planned for another day (IST), which the client sees. */
export function planned(payment: Payment, debit_date: string): Outcome {
  if (!isLive(payment) || payment.debit_date === debit_date) return unchanged(payment);
  const events = ['payment.updated'] as const;
  return stepped(amended(paymentMachine, payment, 'plan_debit', { changes: { debit_date }, events }));
}

/** The provider has accepted an attempt: the bank's result may take days (DEB-14). */
export function accepted(payment: Payment, now: Date): Outcome {
  if (payment.status !== 'PENDING') return unchanged(payment);
  return stepped(transition(paymentMachine, payment, 'submit', { submitted_at: now }));
}

/** Money came: in time, late or twice. */
export function collected(payment: Payment, money: CollectedMoney | null, now: Date): Outcome {
  return money ? captured(payment, { status: 'captured', ...money }, now) : unchanged(payment);
}

export function debitFailed(payment: Payment, code: PaymentFailureCode | null, now: Date): Outcome {
  return isLive(payment) ? failPayment(payment, 'fail', code ?? 'payment_failed', now) : unchanged(payment);
}

/** The client cancelled it. An attempt can have been accepted, and refused by the bank, before. */
export function debitCancelled(payment: Payment, now: Date): Outcome {
  if (payment.status === 'PENDING') return endPayment(payment, 'cancel', now);
  return debitFailed(payment, 'user_cancelled', now);
}

/**
 * Applies a change of its order to a debit. Mandates decides with the debit's notice and attempts; here it is only reported. Each decision
 * uses all current states, so the order of events does not matter.
 */
export function debitsOrderChanged(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (!isLive(payment)) return paidOrdersChanged(payment, states, now);
  if (endedShares(sharesLeft(payment), states).length > 0) return reportDebit(payment, { order: 'ended' });
  return mayBeDebited(payment.orders, states) ? reportDebit(payment, { order: 'ready' }) : unchanged(payment);
}

/**
 * Whether a debit for these orders may start, with its notice. A purchase must be at the gateway; an installment of a plan must be
 * confirmed, because it is collected before the gateway gets it (PLAN-23).
 */
function mayBeDebited(shares: readonly ShareRow[], states: OrderStates): boolean {
  return shares.every(
    (share) =>
      sharesReady([share], states) || (isRedemption(share) && states.get(share.old_id) === 'confirmed'),
  );
}

/** Until when a debit raised at `raisedAt` waits for its order: 00:00 IST, as for `order_expiry`. */
export function unconfirmedAt(raisedAt: Date, businessDays: number, holidays: Holidays): Date {
  return istInstant(businessDaysAfter(istDate(raisedAt), businessDays + 1, holidays));
}

/** The content of a callback about a debit: the status of an attempt, or what became of its notice. */
type DebitCallback = Extract<NonNullable<PaymentCallback['fact']>, { about: 'debit' | 'notice' }>;

const NOTHING = { order: null, provider_name: null, attempt: null, notice: null } as const;

/** Publishes what was learned about a debit, for mandates, which carries it out. Without a fact the provider is asked (DEB-4). */
export function reportDebit(
  payment: Payment,
  learned: Partial<Omit<DebitFact, 'payment_id' | 'mandate_id'>>,
): Outcome {
  const { id: payment_id, mandate_id } = payment;
  if (mandate_id === null) throw new Error(`payment ${payment_id} debits no mandate`);
  const step = amended(paymentMachine, payment, 'report_debit', { events: ['payment.debit_fact'] });
  return stepped({ ...step, fact: { payment_id, mandate_id, ...NOTHING, ...learned } });
}

/** A callback of the payment's provider about its debit. */
export function reportCallback(payment: Payment, fact: DebitCallback): Outcome {
  const { provider_name } = payment;
  if (fact.about === 'debit') {
    const attempt = { reference: fact.attempt_reference, ...statusOf(fact.payment) };
    return reportDebit(payment, { provider_name, attempt });
  }
  const { notice_number: number, notice } = fact;
  return reportDebit(payment, { provider_name, notice: { number, ...reportedNotice(notice) } });
}

function reportedNotice(notice: NoticeStatus): Omit<NonNullable<DebitFact['notice']>, 'number'> {
  const { status } = notice;
  const none = { status, proof: null, at: null, message: null };
  if (status === 'opted_out') return none;
  if (status === 'failed') return { ...none, message: notice.message };
  return { ...none, proof: notice.proof, at: istTimestamp(notice.at) };
}

function statusOf(status: ProviderPaymentStatus): Omit<NonNullable<DebitFact['attempt']>, 'reference'> {
  const none = { failure_code: null, message: null, collected: null };
  if (status.status === 'captured') return { ...none, status: 'captured', collected: moneyOf(status) };
  if (status.status === 'waiting') return { ...none, status: 'waiting' };
  return { ...none, ...status };
}

function moneyOf({
  provider_reference,
  amount,
  currency,
  others = [],
  third_party = false,
}: Extract<ProviderPaymentStatus, { status: 'captured' }>): CollectedMoney {
  return { provider_reference, amount, currency, others: [...others], third_party };
}
