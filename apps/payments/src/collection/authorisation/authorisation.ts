import { Decimal, istDate, type AuthorisationFact, type MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus, SurplusMandate } from '@fundrail/providers';
import { amended, created, paymentMachine, transition } from '@fundrail/state-machines';
import { rejectedReason } from '../../payment/failed-reasons.ts';
import {
  andThen,
  contradicted,
  failPayment,
  firstStatusCall,
  note,
  stepped,
  unchanged,
} from '../../payment/payment.ts';
import type { Outcome, Payment, Step } from '../../payment/payment.ts';
import { mayTryAgain, providerFailed, type PaymentTimes } from '../collection.ts';
import { BLANK } from '../new-payment.ts';

/** How the investor is asked to authorise (MAN-12 to MAN-14). */
export type AuthorisationFlow =
  | { readonly kind: 'uri' }
  | { readonly kind: 'collect'; readonly vpa: string }
  /** The hosted page; with `sdk`, the options of the provider's SDK are offered too. */
  | { readonly kind: 'page'; readonly sdk: boolean };

interface NewAuthorisation {
  readonly id: number;
  readonly mandate: MandateFacts;
  /** Empty when no browser returns to the client. */
  readonly payment_postback_url: string;
  readonly bank_code: string | null;
}

/** An AUTH_TRANSACTION payment: no money and no orders; it ends in SUCCESS or FAILED (MAN-11). */
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
  // Without an SDK the page is the only way to authorise, so the payment ends when the page can no longer be opened.
  const ends = flow.sdk ? expires_at : token_expires_at;
  return { sdk_options_offered: flow.sdk, token_expires_at, expires_at: ends };
}

/** Records the order at the provider's checkout for the authorisation. An order that is already recorded stays. */
export function openAuthorisation(
  payment: Payment,
  { order_id, customer_id }: { readonly order_id: string; readonly customer_id: string },
  now: Date,
): Outcome {
  if (payment.status !== 'PENDING' || payment.checkout_order_id !== null) return unchanged(payment);
  const columns = { checkout_order_id: order_id, checkout_customer_id: customer_id };
  return { ...note(payment, 'open_checkout', columns), due: [firstStatusCall(payment, now)] };
}

type Accepted = Extract<AuthorisationStatus, { mandate_token: string | null }>;
type Refused = Extract<AuthorisationStatus, { failure_code: unknown }>;

/** The order of a mandate's states. The provider may report them twice and out of order. */
const RANK = { received: 1, submitted: 2, approved: 3, rejected: 3 } as const satisfies Record<
  AuthorisationFact['status'],
  number
>;

/**
 * Applies a status that the provider reported, by callback or status call, and publishes what it means for the mandate.
 * Idempotent.
 */
export function applyAuthorisationStatus(payment: Payment, status: AuthorisationStatus, now: Date): Outcome {
  switch (status.status) {
    case 'waiting':
      return unchanged(payment);
    case 'received':
    case 'submitted':
      return onItsWay(payment, status, now);
    case 'approved':
      return approved(payment, status, now);
    case 'failed':
    case 'rejected':
      return refused(payment, status, now);
    default:
      return status satisfies never;
  }
}

/**
 * The provider has accepted the authorisation, but the bank has not confirmed it: it no longer expires (MAN-19), and the provider
 * is asked until the bank confirms. Here and below, the event for mandates comes before the payment's own events, so that a consumer
 * that reads the stream in order has the mandate's new state before the payment's.
 */
function onItsWay(payment: Payment, status: Accepted, now: Date): Outcome {
  const isOpen = payment.status === 'PENDING' || payment.status === 'SUBMITTED';
  if (!isOpen || isReported(payment, status.status)) return unchanged(payment);
  return andThen(reportMandate(payment, status), (row) =>
    row.status === 'PENDING'
      ? stepped(transition(paymentMachine, row, 'submit', { submitted_at: now }), [firstStatusCall(row, now)])
      : unchanged(row),
  );
}

/** A success after we gave up leaves the payment FAILED; mandates decides about the mandate (MAN-20). */
function approved(payment: Payment, status: Accepted, now: Date): Outcome {
  if (payment.mandate_fact === 'approved') return unchanged(payment);
  return andThen(reportMandate(payment, status), (row) =>
    row.status === 'FAILED'
      ? stepped(
          amended(paymentMachine, row, 'receive', {
            changes: { late_auth: true },
            events: ['payment.updated'],
          }),
        )
      : stepped(transition(paymentMachine, row, 'succeed', { debit_confirmed_at: now })),
  );
}

/** When the mandate was on its way, it is rejected too: nothing else would end it. */
function refused(payment: Payment, status: Refused, now: Date): Outcome {
  if (payment.status === 'SUCCESS') return contradicted(payment, 'failed_after_success');
  const isOfMandate = status.status === 'rejected' || payment.mandate_fact !== null;
  // On the hosted page the investor may try again after a failed attempt, but not after a refused mandate.
  const failed =
    isOfMandate && mayTryAgain(payment, now)
      ? failPayment(payment, 'fail', status.failure_code, now)
      : providerFailed(payment, status.failure_code, now);
  if (!isOfMandate || isReported(payment, 'rejected')) return failed;
  const reason = rejectedReason(status.failure_code);
  return andThen(failed, (row) => reportMandate(row, { status: 'rejected' }, reason));
}

/** Reports mandates that were authorised besides the approved one; mandates gives them back (MAN-20). */
export function reportSurplus(payment: Payment, surplus: readonly SurplusMandate[]): Outcome {
  return surplus.reduce(
    (outcome, names) => andThen(outcome, (row) => reportMandate(row, { status: 'approved', ...names })),
    unchanged(payment),
  );
}

/** Whether this state of the mandate, or a later one, was already published. */
function isReported({ mandate_fact }: Payment, status: AuthorisationFact['status']): boolean {
  return mandate_fact !== null && RANK[mandate_fact] >= RANK[status];
}

/** Publishes the state of the mandate. */
function reportMandate(
  payment: Payment,
  reported: { readonly status: AuthorisationFact['status'] } & Partial<
    Pick<Accepted, 'mandate_token' | 'umrn' | 'provider_id'>
  >,
  rejected_reason: string | null = null,
): Outcome {
  if (payment.mandate_id === null) throw new Error(`payment ${payment.id} authorises no mandate`);
  const { status, mandate_token = null, umrn = null, provider_id = null } = reported;
  const { id: payment_id, mandate_id } = payment;
  const step = amended(paymentMachine, payment, 'tell_mandate', {
    changes: { mandate_fact: status },
    events: ['payment.mandate_fact'],
  });
  const fact = { payment_id, mandate_id, status, mandate_token, umrn, provider_id, rejected_reason };
  return stepped({ ...step, fact });
}
