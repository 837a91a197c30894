import { Decimal, istDate, type AuthorisationFact, type MandateFacts } from '@fundrail/contracts';
import type { AuthorisationStatus, SurplusMandate } from '@fundrail/providers';
import { amended, authorisationMachine, created, paymentMachine, transition } from '@fundrail/state-machines';
import type { AuthorisationState, AuthorisationTrigger } from '@fundrail/state-machines';
import type { PaymentTimes } from '../../config.ts';
import { rejectedReason } from '../../payment/failed-reasons.ts';
import { BLANK, contradicted, failPayment, stepped, type Payment } from '../../payment/payment.ts';
import {
  chain,
  decided,
  firstStatusCall,
  mayTryAgain,
  next,
  providerFailed,
  still,
  upiStartOf,
} from '../collection.ts';
import type { Collection, CollectionOutcome, NewCollection } from '../collection.ts';
import { newRequest, shownUpi, type Flow } from '../new-payment.ts';

interface NewAuthorisation {
  readonly id: number;
  readonly mandate: MandateFacts;
  /** Empty when no browser returns to the client. */
  readonly postback_url: string;
  readonly bank_code: string | null;
}

/** An AUTH_TRANSACTION payment: no money and no orders; it ends in SUCCESS or FAILED (MAN-11). */
export function newAuthorisation(
  { id, mandate, postback_url, bank_code }: NewAuthorisation,
  flow: Flow,
  now: Date,
  times: PaymentTimes,
): NewCollection {
  const { tenant } = mandate;
  const row: Payment = {
    ...BLANK,
    ...{ id, tenant, mandate_id: mandate.id },
    payment_type: 'AUTH_TRANSACTION',
    amount: Decimal.parse('0'),
    debit_date: istDate(now),
    method: mandate.mandate_type === 'UPI' ? 'UPI' : null,
    upi: shownUpi(flow),
    from_bank_account_id: mandate.bank_account_id,
    provider_name: mandate.provider_name,
    created_at: now,
    orders: [],
  };
  // It waits for no order, so its creation is the intent of the request.
  const about = {
    id,
    tenant,
    postback_url,
    bank_code,
    mf_investment_account: null,
    upi_state: 'requested',
  } as const;
  return {
    step: created(paymentMachine, row),
    request: newRequest(flow, about, now, times),
    authorisation: { payment_id: id, tenant, state: authorisationMachine.initial },
  };
}

type Accepted = Extract<AuthorisationStatus, { mandate_token: string | null }>;
type Refused = Extract<AuthorisationStatus, { failure_code: unknown }>;

/** The order of a mandate's states. The provider may report them twice and out of order. */
const RANK = { asked: 0, received: 1, submitted: 2, approved: 3, rejected: 3 } as const satisfies Record<
  AuthorisationState,
  number
>;
/** The step of the authorisation for a reported state. */
const STEPS = {
  received: 'receive',
  submitted: 'submit',
  approved: 'approve',
  rejected: 'reject',
} as const satisfies Record<AuthorisationFact['status'], AuthorisationTrigger>;

/**
 * Applies a status that the provider reported, by callback or status call, and publishes what it means for the mandate.
 * Idempotent.
 */
export function applyAuthorisationStatus(
  payment: Collection,
  status: AuthorisationStatus,
  now: Date,
): CollectionOutcome {
  switch (status.status) {
    case 'waiting':
      return still(payment);
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
function onItsWay(payment: Collection, status: Accepted, now: Date): CollectionOutcome {
  const isOpen = payment.status === 'PENDING' || payment.status === 'SUBMITTED';
  if (!isOpen || isReported(payment, status.status)) return still(payment);
  return chain(reportMandate(payment, status), (after) => {
    if (after.status !== 'PENDING') return still(after);
    const step = transition(paymentMachine, after, 'submit', { submitted_at: now });
    return decided(after, stepped(step, [firstStatusCall(after, now, upiStartOf(after))]));
  });
}

/** A success after we gave up leaves the payment FAILED; mandates decides about the mandate (MAN-20). */
function approved(payment: Collection, status: Accepted, now: Date): CollectionOutcome {
  if (stateOf(payment) === 'approved') return still(payment);
  return chain(reportMandate(payment, status), (after) => {
    const late = { changes: { late_auth: true }, events: ['payment.updated'] } as const;
    const step =
      after.status === 'FAILED'
        ? amended(paymentMachine, after, 'receive', late)
        : transition(paymentMachine, after, 'succeed', { debit_confirmed_at: now });
    return decided(after, stepped(step));
  });
}

/** When the mandate was on its way, it is rejected too: nothing else would end it. */
function refused(payment: Collection, status: Refused, now: Date): CollectionOutcome {
  const { failure_code: code } = status;
  if (payment.status === 'SUCCESS') return decided(payment, contradicted(payment, 'failed_after_success'));
  const isOfMandate = status.status === 'rejected' || stateOf(payment) !== 'asked';
  // On the hosted page the investor may try again after a failed attempt, but not after a refused mandate.
  const failed =
    isOfMandate && mayTryAgain(payment, now)
      ? decided(payment, failPayment(payment, 'fail', code, now))
      : providerFailed(payment, code, now);
  if (!isOfMandate || isReported(payment, 'rejected')) return failed;
  return chain(failed, (after) => reportMandate(after, { status: 'rejected' }, rejectedReason(code)));
}

/** Reports mandates that were authorised besides the approved one; mandates gives them back (MAN-20). */
export function reportSurplus(payment: Collection, surplus: readonly SurplusMandate[]): CollectionOutcome {
  return surplus.reduce(
    (outcome, names) => chain(outcome, (after) => reportMandate(after, { status: 'approved', ...names })),
    still(payment),
  );
}

function stateOf({ id, authorisation }: Collection): AuthorisationState {
  if (!authorisation) throw new Error(`payment ${id} authorises no mandate`);
  return authorisation.state;
}

/** Whether this state of the mandate, or a later one, was already published. */
function isReported(payment: Collection, status: AuthorisationFact['status']): boolean {
  return RANK[stateOf(payment)] >= RANK[status];
}

/** Publishes the state of the mandate. */
function reportMandate(
  payment: Collection,
  reported: { readonly status: AuthorisationFact['status'] } & Partial<
    Pick<Accepted, 'mandate_token' | 'umrn' | 'provider_id'>
  >,
  rejected_reason: string | null = null,
): CollectionOutcome {
  const { id: payment_id, mandate_id, authorisation } = payment;
  if (!authorisation || mandate_id === null) throw new Error(`payment ${payment_id} authorises no mandate`);
  const { status, mandate_token = null, umrn = null, provider_id = null } = reported;
  const state = next(authorisationMachine, authorisation.state, STEPS[status]);
  const step = amended(paymentMachine, payment, 'tell_mandate', { events: ['payment.mandate_fact'] });
  const fact = { payment_id, mandate_id, status, mandate_token, umrn, provider_id, rejected_reason };
  return decided({ ...payment, authorisation: { ...authorisation, state } }, stepped({ ...step, fact }));
}
