import { Decimal, istDate } from '@fundrail/contracts';
import type { AuthorisationFact, MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus } from '@fundrail/providers';
import { amended, created, paymentMachine, transition } from '@fundrail/state-machines';
import { BLANK } from '../payment/new-payment.ts';
import { failedReason } from '../payment/failed-reasons.ts';
import {
  andThen,
  contradicted,
  firstQuestion,
  note,
  providerFailed,
  stepped,
  unchanged,
} from '../payment/payment.ts';
import type { Outcome, Payment, PaymentTimes, Step } from '../payment/payment.ts';

/** How the investor is asked to authorise (contract §4 "Authorise"). */
export type AuthorisationFlow =
  { readonly kind: 'uri' } | { readonly kind: 'collect'; readonly vpa: string } | { readonly kind: 'sdk' };

export interface NewAuthorisation {
  readonly id: number;
  readonly mandate: MandateFacts;
  /** Empty unless a browser comes back. */
  readonly payment_postback_url: string;
  readonly bank_code: string | null;
}

/** An AUTH_TRANSACTION payment: no money, no orders, and its end is SUCCESS or FAILED (contract §10 "Mandates"). */
export function newAuthorisation(
  { id, mandate, payment_postback_url, bank_code }: NewAuthorisation,
  flow: AuthorisationFlow,
  now: Date,
  times: PaymentTimes,
): Step {
  const row: Payment = {
    ...BLANK,
    id,
    tenant: mandate.tenant,
    payment_type: 'AUTH_TRANSACTION',
    amount: Decimal.parse('0'),
    debit_date: istDate(now),
    method: mandate.mandate_type === 'UPI' ? 'UPI' : null,
    upi_type: flow.kind === 'sdk' ? null : flow.kind,
    upi_vpa: flow.kind === 'collect' ? flow.vpa : null,
    sdk_options_offered: flow.kind === 'sdk',
    from_bank_account_id: mandate.bank_account_id,
    bank_code,
    mf_investment_account: null,
    provider_name: mandate.provider_name,
    payment_postback_url,
    mandate_id: mandate.id,
    source_ref_id: null,
    created_at: now,
    expires_at: new Date(now.getTime() + times.fromCreationMs),
    orders: [],
  };
  return created(paymentMachine, row);
}

/** The order at the provider's checkout under which the investor authorises. One that was recorded first stays. */
export function openAuthorisation(
  payment: Payment,
  { order_id, customer_id }: { readonly order_id: string; readonly customer_id: string },
  now: Date,
): Outcome {
  if (payment.status !== 'PENDING' || payment.checkout_order_id !== null) return unchanged(payment);
  const columns = { checkout_order_id: order_id, checkout_customer_id: customer_id };
  return { ...note(payment, 'open_checkout', columns), due: [firstQuestion(payment, now)] };
}

type Told = Extract<AuthorisationStatus, { mandate_token: string | null }>;
type Refused = Extract<AuthorisationStatus, { failure_code: unknown }>;

/** How far a mandate has come by what it was told last. The provider's words may come twice and out of order. */
const RANK = { received: 1, submitted: 2, approved: 3, rejected: 3 } as const satisfies Record<
  AuthorisationFact['status'],
  number
>;

/**
 * Applies what the provider says of an authorisation, whoever brought it, and passes on what it means for the mandate. Said
 * twice, it changes nothing the second time.
 */
export function authorisationSaid(payment: Payment, said: AuthorisationStatus, now: Date): Outcome {
  switch (said.status) {
    case 'waiting':
      return unchanged(payment);
    case 'received':
    case 'submitted':
      return onItsWay(payment, said, now);
    case 'approved':
      return approved(payment, said, now);
    case 'failed':
    case 'rejected':
      return refused(payment, said, now);
    default:
      return said satisfies never;
  }
}

/** Accepted, and the bank has not said so yet: from then on it does not expire (contract §4 "Debits"). */
function onItsWay(payment: Payment, said: Told, now: Date): Outcome {
  const isOpen = payment.status === 'PENDING' || payment.status === 'SUBMITTED';
  if (!isOpen || comesAfter(payment, said.status)) return unchanged(payment);
  const submitted =
    payment.status === 'PENDING'
      ? stepped(transition(paymentMachine, payment, 'submit', { submitted_at: now }))
      : unchanged(payment);
  return andThen(submitted, (row) => tell(row, said));
}

/** A success after we gave up leaves the payment FAILED; what becomes of the mandate, mandates decides (contract §4). */
function approved(payment: Payment, said: Told, now: Date): Outcome {
  if (payment.mandate_fact === 'approved') return unchanged(payment);
  const success =
    payment.status === 'FAILED'
      ? stepped(amended(paymentMachine, payment, 'receive', { late_auth: true }, ['payment.updated']))
      : stepped(transition(paymentMachine, payment, 'succeed', { debit_confirmed_at: now }));
  return andThen(success, (row) => tell(row, said));
}

/** A mandate that was on its way comes back with its authorisation: nobody else would end it. */
function refused(payment: Payment, said: Refused, now: Date): Outcome {
  if (payment.status === 'SUCCESS') return contradicted(payment, 'failed_after_success');
  const failed = providerFailed(payment, said.failure_code, now);
  const isTheMandates = said.status === 'rejected' || payment.mandate_fact !== null;
  if (!isTheMandates || comesAfter(payment, 'rejected')) return failed;
  const reason = failedReason(said.failure_code);
  return andThen(failed, (row) => tell(row, { status: 'rejected' }, reason));
}

function comesAfter({ mandate_fact }: Payment, status: AuthorisationFact['status']): boolean {
  return mandate_fact !== null && RANK[mandate_fact] >= RANK[status];
}

function tell(
  payment: Payment,
  said: { readonly status: AuthorisationFact['status'] } & Partial<
    Pick<Told, 'mandate_token' | 'umrn' | 'provider_id'>
  >,
  rejected_reason: string | null = null,
): Outcome {
  if (payment.mandate_id === null) throw new Error(`payment ${payment.id} authorises no mandate`);
  const { status, mandate_token = null, umrn = null, provider_id = null } = said;
  const { id: payment_id, mandate_id } = payment;
  const step = amended(paymentMachine, payment, 'tell_mandate', { mandate_fact: status }, [
    'payment.mandate_fact',
  ]);
  const fact = { payment_id, mandate_id, status, mandate_token, umrn, provider_id, rejected_reason };
  return stepped({ ...step, fact });
}
