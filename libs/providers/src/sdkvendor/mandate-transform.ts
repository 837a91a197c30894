import { Decimal, istInstant, type PaymentFailureCode } from '@fundrail/contracts';
import { noticeKey } from '../mandate-ports.ts';
import type {
  AuthorisationStatus,
  DebitNotice,
  MandateCheckoutOrder,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderMandate,
  ProviderNotice,
  SurplusMandate,
} from '../mandate-ports.ts';
import type { Answer } from '../answer.ts';
import type { BrowserFacts, ProviderPaymentStatus } from '../provider-payment.ts';
import { failureCodeOf } from './failure-codes.ts';
import { noticeNotes, type Token } from './mandate-wire.ts';
import { statusOf, type OrderBody } from './transform.ts';
import type { Order, Payment } from './wire.ts';
import { route, type Route } from '../route.ts';

// razorpay.com/docs/api/payments/recurring-payments: UPI is authorised with a payment of at least one rupee, an e-mandate
// with none.
const UPI_PAISE = 100;

/** The amount that Razorpay collects when a mandate is authorised, in paise. */
function authorisationPaise({ mandate_type }: Pick<MandateRegistration, 'mandate_type'>): number {
  return mandate_type === 'UPI' ? UPI_PAISE : 0;
}

function methodOf({ mandate_type }: { readonly mandate_type: MandateRegistration['mandate_type'] }) {
  return mandate_type === 'UPI' ? 'upi' : 'emandate';
}

/** The body of `POST /v1/customers`: an existing customer with these details is returned. */
export function fromCustomer({ payer, contact, tenant }: MandateRegistration): object {
  return {
    ...{ name: payer.name, fail_existing: '0', notes: { tenant } },
    ...(contact.email && { email: contact.email }),
    ...(contact.mobile && { contact: contact.mobile }),
  };
}

/** The body of `POST /v1/orders` for an authorisation. Only we can set its `notes`: a browser cannot change an order's. */
export function fromAuthorisation(registration: MandateRegistration, customer_id: string): OrderBody {
  const { reference, payment_id, mandate_id, tenant, payer, valid_from } = registration;
  const { account_number, ifsc_code, name, account_type } = payer;
  const common = { max_amount: registration.limit.toPaise(), expire_at: lastSecondOf(registration.valid_to) };
  const isUpi = registration.mandate_type === 'UPI';
  const bank_account = { beneficiary_name: name, account_number, account_type, ifsc_code };
  const about = { reference, payment_id: String(payment_id), mandate_id: String(mandate_id), tenant };
  const order = {
    ...{ amount: authorisationPaise(registration), currency: 'INR', receipt: reference, customer_id },
    method: methodOf(registration),
    notes: { ...about, about: 'authorisation', valid_from },
    token: {
      ...common,
      notes: { reference },
      ...(isUpi ? { frequency: 'as_presented' } : { auth_type: 'netbanking', bank_account }),
    },
    // Third-party validation of UPI: Razorpay accepts the authorisation from no other account.
    ...(isUpi && { bank_account: { account_number, name, ifsc: ifsc_code } }),
  };
  return order;
}

function lastSecondOf(date: string): number {
  return Math.floor(istInstant(date, '23:59').getTime() / 1000) + 59;
}

/** The common fields of every attempt to authorise. */
export function fromAuthorisationAttempt(
  registration: MandateRegistration,
  { order_id, customer_id }: MandateCheckoutOrder,
  server: BrowserFacts,
): object {
  const { contact, reference, browser } = registration;
  const { ip, referer, user_agent } = browser ?? server;
  return {
    ...{ amount: authorisationPaise(registration), currency: 'INR', order_id, customer_id, recurring: '1' },
    ...{ method: methodOf(registration), notes: { reference }, ip, referer, user_agent },
    ...(contact.email && { email: contact.email }),
    ...(contact.mobile && { contact: contact.mobile }),
  };
}

/** The bank and the account to debit, for the bank's page of an e-mandate. */
export function fromEmandateAttempt(
  registration: MandateRegistration,
  bank: string,
  callback_url: string,
): object {
  const { account_number, ifsc_code, name, account_type } = registration.payer;
  const bank_account = { name, account_number, account_type, ifsc: ifsc_code };
  return { auth_type: 'netbanking', bank, bank_account, callback_url };
}

/** The attempts that the investor has authorised, in order. Each has created its own token. */
export function authorisedAttempts(attempts: readonly Payment[]): Payment[] {
  return inOrderOf(attempts).filter(({ status }) => status !== 'created' && status !== 'failed');
}

/** The attempt that decides the status of an authorisation: an authorised one, else an open one, else the last. */
export function decidingAttempt(attempts: readonly Payment[]): Payment | null {
  const inOrder = inOrderOf(attempts);
  const [authorised] = authorisedAttempts(inOrder);
  return authorised ?? inOrder.find(({ status }) => status === 'created') ?? inOrder.at(-1) ?? null;
}

function inOrderOf(attempts: readonly Payment[]): Payment[] {
  return [...attempts].sort((one, other) => one.created_at - other.created_at);
}

/** The tokens of other attempts; each must be cancelled. */
export function surplusOf(attempts: readonly Payment[], mandate_token: string): SurplusMandate[] {
  return attempts.flatMap(({ token_id, customer_id }) =>
    token_id && customer_id && token_id !== mandate_token
      ? [{ mandate_token: token_id, provider_id: customer_id, umrn: null }]
      : [],
  );
}

/** An authorisation without a token yet: it waits, or its last attempt failed. */
export function withoutToken(attempt: Payment | null): AuthorisationStatus {
  if (attempt?.status !== 'failed') return { status: 'waiting' };
  return {
    status: 'failed',
    failure_code: failureCodeOf(attempt.error_reason),
    message: attempt.error_description ?? 'The authorisation failed',
  };
}

/** An authorised attempt, by the state of its token. A mandate that was paused or ended later was still approved. */
export function withToken(attempt: Payment, token: Token, customer_id: string): AuthorisationStatus {
  const names = { mandate_token: token.id, provider_id: customer_id, umrn: token.mrn ?? null };
  switch (token.recurring_details.status) {
    case 'initiated':
      return { status: 'submitted', ...names };
    case 'rejected':
      return {
        status: 'rejected',
        failure_code: 'investor_bank_declined',
        message: 'The bank refused the mandate',
      };
    case 'confirmed':
    case 'paused':
    case 'resumed':
    case 'cancellation_initiated':
    case 'cancelled':
    case 'expired':
      return { status: 'approved', provider_reference: attempt.id, ...names };
    default:
      return token.recurring_details.status satisfies never;
  }
}

/** A token's state as ours; null while it is not decided: the bank must confirm it, or NPCI must end it. */
export function stateOf({ recurring_details: { status } }: Token): MandateState['status'] | null {
  switch (status) {
    case 'confirmed':
    case 'resumed':
      return 'active';
    case 'paused':
    case 'cancelled':
    case 'expired':
    case 'rejected':
      return status;
    case 'initiated':
    case 'cancellation_initiated':
      return null;
    default:
      return status satisfies never;
  }
}

/** Whether the mandate has ended, so that it can never be debited again. */
export function hasEnded(token: Token): boolean {
  const state = stateOf(token);
  return state === 'cancelled' || state === 'expired' || state === 'rejected';
}

/** The path of a mandate's customer and token. */
export function tokenPath({ mandate_token, provider_id }: ProviderMandate): Route {
  return route`/customers/${provider_id ?? ''}/tokens/${mandate_token}`;
}

/** The path that cancels the token of a UPI mandate. */
export function cancellationPath({ mandate_token, provider_id }: ProviderMandate): Route {
  return route`/customers/${provider_id ?? ''}/tokens/${mandate_token}/cancel`;
}

/** The body of `POST /v1/orders` for a debit; for UPI with the notification to the investor, and its facts in the notes. One order for all attempts of a payment. */
export function fromDebitOrder(debit: ProviderDebit | ProviderNotice): OrderBody {
  const { payment_reference, payment_id, tenant, amount, mandate, execute_at } = debit;
  const payment_after = Math.floor(execute_at.getTime() / 1000);
  const order = {
    ...{ amount: amount.toPaise(), currency: 'INR', receipt: noticeKey(debit), payment_capture: true },
    notes: {
      ...{ reference: payment_reference, payment_id: String(payment_id), tenant },
      about: 'debit',
      ...('merchant' in debit && noticeNotes.parse(debit)),
    },
    ...(mandate.mandate_type === 'UPI' && {
      notification: { token_id: mandate.mandate_token, payment_after },
    }),
  };
  return order;
}

/** The body of `POST /v1/payments/create/recurring`. The notes contain the attempt's reference, by which it is found again. */
export function fromDebit(debit: ProviderDebit, order_id: string): object {
  const { amount, mandate, contact, reference } = debit;
  return {
    ...{ amount: amount.toPaise(), currency: 'INR', order_id, customer_id: mandate.provider_id },
    ...{ token: mandate.mandate_token, recurring: true, notes: { attempt: reference } },
    ...(contact.email && { email: contact.email }),
    ...(contact.mobile && { contact: contact.mobile }),
  };
}

/** Our attempt for a payment of Razorpay, or null. Only we start payments under a debit's order. */
export function attemptOf({ notes }: Payment): string | null {
  const attempt: unknown = notes && !Array.isArray(notes) ? notes.attempt : null;
  return typeof attempt === 'string' ? attempt : null;
}

/**
 * The status of the attempt with that reference, or null when there is none. Razorpay has no idempotency key for it, so it may
 * have been made more than once: then all received money counts, as with any payment (`statusOf`).
 */
export function debitStatusOf(payments: readonly Payment[], reference: string): ProviderPaymentStatus | null {
  const made = payments.filter((payment) => attemptOf(payment) === reference);
  return made.length > 0 ? statusOf(made) : null;
}

/** The answer to an attempt that was started before: pending or paid is a yes, failed is a no. */
export function executionOf(status: ProviderPaymentStatus): Answer<null, PaymentFailureCode> {
  return status.status === 'failed'
    ? { kind: 'no', failure_code: status.failure_code, message: status.message }
    : { kind: 'yes', value: null };
}

/**
 * The notice in an order. Its proof is the order: its content and planned time. An order without the time was created by this
 * call, with the time of this call.
 */
export function noticeFrom(
  { id, receipt, amount, notes, created_at }: Order,
  notification: NonNullable<Order['notification']>,
  { execute_at }: ProviderDebit,
): DebitNotice {
  const { payment_after } = notification;
  // In the schema's order: Razorpay may answer with the notes in another.
  const facts = noticeNotes.safeParse(notes).data;
  return {
    notice_reference: id,
    proof: JSON.stringify({ order_id: id, receipt, amount, facts, created_at, notification }),
    amount: Decimal.ofPaise(amount),
    execute_at: payment_after == null ? execute_at : new Date(payment_after * 1000),
    sent_at: new Date(created_at * 1000),
  };
}
