import { Decimal, istDate } from '@fundrail/contracts';
import type { AuthorisationFact, MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus, SurplusMandate } from '@fundrail/providers';
import { amended, created, paymentMachine, transition } from '@fundrail/state-machines';
import { BLANK } from '../payment/new-payment.ts';
import { rejectedReason } from '../payment/failed-reasons.ts';
import {
  andThen,
  contradicted,
  failPayment,
  firstQuestion,
  mayTryAgain,
  note,
  providerFailed,
  stepped,
  unchanged,
} from '../payment/payment.ts';
import type { Outcome, Payment, PaymentTimes, Step } from '../payment/payment.ts';

/** How the investor is asked to authorise (contract §4 "Authorise"). */
export type AuthorisationFlow =
  | { readonly kind: 'uri' }
  | { readonly kind: 'collect'; readonly vpa: string }
  /** The hosted page; `sdk`: the provider has an SDK besides, whose options are told too. */
  | { readonly kind: 'page'; readonly sdk: boolean };

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
    from_bank_account_id: mandate.bank_account_id,
    bank_code,
    mf_investment_account: null,
    provider_name: mandate.provider_name,
    payment_postback_url,
    mandate_id: mandate.id,
    source_ref_id: null,
    created_at: now,
    orders: [],
    ...columnsOf(flow, now, times),
  };
  return created(paymentMachine, row);
}

function columnsOf(flow: AuthorisationFlow, now: Date, times: PaymentTimes) {
  const later = (ms: number) => new Date(now.getTime() + ms);
  const expires_at = later(times.fromCreationMs);
  if (flow.kind === 'uri') return { upi_type: 'uri', expires_at } as const;
  if (flow.kind === 'collect') return { upi_type: 'collect', upi_vpa: flow.vpa, expires_at } as const;
  const token_expires_at = later(times.tokenMs);
  // Without an SDK a page that nobody opens in time can be authorised by nobody.
  const ends = flow.sdk ? expires_at : token_expires_at;
  return { sdk_options_offered: flow.sdk, token_expires_at, expires_at: ends };
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

/**
 * Accepted, and the bank has not said so yet: from then on it does not expire (contract §4 "Debits"), and is asked about until
 * the bank has said it. What mandates is told comes first in the payment's stream, here and below: whoever reacts to the payment
 * finds the mandate as far as mandates has read.
 */
function onItsWay(payment: Payment, said: Told, now: Date): Outcome {
  const isOpen = payment.status === 'PENDING' || payment.status === 'SUBMITTED';
  if (!isOpen || comesAfter(payment, said.status)) return unchanged(payment);
  return andThen(tell(payment, said), (row) =>
    row.status === 'PENDING'
      ? stepped(transition(paymentMachine, row, 'submit', { submitted_at: now }), [firstQuestion(row, now)])
      : unchanged(row),
  );
}

/** A success after we gave up leaves the payment FAILED; what becomes of the mandate, mandates decides (contract §4). */
function approved(payment: Payment, said: Told, now: Date): Outcome {
  if (payment.mandate_fact === 'approved') return unchanged(payment);
  return andThen(tell(payment, said), (row) =>
    row.status === 'FAILED'
      ? stepped(amended(paymentMachine, row, 'receive', { late_auth: true }, ['payment.updated']))
      : stepped(transition(paymentMachine, row, 'succeed', { debit_confirmed_at: now })),
  );
}

/** A mandate that was on its way comes back with its authorisation: nobody else would end it. */
function refused(payment: Payment, said: Refused, now: Date): Outcome {
  if (payment.status === 'SUCCESS') return contradicted(payment, 'failed_after_success');
  const isTheMandates = said.status === 'rejected' || payment.mandate_fact !== null;
  // A failed attempt of the hosted page may be followed by another one, a refused mandate by none.
  const failed =
    isTheMandates && mayTryAgain(payment, now)
      ? failPayment(payment, 'fail', said.failure_code, now)
      : providerFailed(payment, said.failure_code, now);
  if (!isTheMandates || comesAfter(payment, 'rejected')) return failed;
  const reason = rejectedReason(said.failure_code);
  return andThen(failed, (row) => tell(row, { status: 'rejected' }, reason));
}

/** Mandates of which nobody was told yet that came besides the one that is approved: mandates gives them back (contract §4). */
export function surplusSaid(payment: Payment, surplus: readonly SurplusMandate[]): Outcome {
  return surplus.reduce(
    (told, names) => andThen(told, (row) => tell(row, { status: 'approved', ...names })),
    unchanged(payment),
  );
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
