import { istTimestamp } from '@fundrail/contracts';
import type { CollectedMoney, DebitFact } from '@fundrail/contracts';
import type { PaymentCallback, ProviderPaymentStatus } from '@fundrail/providers';
import { amended, paymentMachine } from '@fundrail/state-machines';
import { stepped, type Outcome, type Payment } from '../payment/payment.ts';

/** The content of a callback about a debit: the status of an attempt, or whether its notice reached the investor. */
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
  const reported =
    notice.status === 'failed'
      ? { status: notice.status, proof: null, at: null, message: notice.message }
      : {
          status: notice.status,
          proof: notice.proof,
          at: istTimestamp(notice.at),
          message: null,
        };
  return reportDebit(payment, { provider_name, notice: { number, ...reported } });
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
