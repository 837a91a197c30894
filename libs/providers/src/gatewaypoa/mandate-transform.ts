import { noticeKey } from '../mandate-ports.ts';
import { Decimal, type PaymentFailureCode } from '@fundrail/contracts';
import type {
  AuthorisationStatus,
  DebitNotice,
  MandateRegistration,
  MandateState,
  ProviderDebit,
  ProviderNotice,
} from '../mandate-ports.ts';
import { mandateUriFault, type MandateUriCodes } from '../mandate-uri.ts';
import { notUnderstood, type Answer } from '../answer.ts';
import type { ProviderPaymentStatus } from '../provider-payment.ts';
import { toCapture, toFailure } from './transform.ts';
import type {
  AuthorisationObject,
  AuthorisationRequest,
  DebitObject,
  DebitRequest,
  MandateObject,
  NoticeObject,
  NoticeRequest,
} from './mandate-wire.ts';

export function toAuthorisationStatus(wire: AuthorisationObject): AuthorisationStatus {
  switch (wire.status) {
    case 'awaiting_payer':
      return { status: 'waiting' };
    case 'received':
    case 'submitted':
      return { status: wire.status, ...identityOf(wire) };
    case 'approved':
      return {
        status: 'approved',
        provider_reference: wire.provider_reference,
        ...identityOf(wire),
        mandate_token: wire.mandate_token,
      };
    case 'declined':
      return { status: 'failed', ...toFailure(wire, 'The authorisation was declined') };
    case 'rejected':
      return { status: 'rejected', ...toFailure(wire, 'The bank refused the mandate') };
    case 'expired':
      return { status: 'failed', failure_code: 'pg_payment_expired', message: 'The authorisation expired' };
    case 'cancelled':
      return { status: 'failed', failure_code: 'user_cancelled', message: 'The authorisation was cancelled' };
    default:
      return wire satisfies never;
  }
}

/** gatewaypoa identifies a mandate only by its token. */
function identityOf({
  mandate_token,
  umrn,
}: {
  readonly mandate_token: string | null;
  readonly umrn: string | null;
}) {
  return { mandate_token, provider_id: null, umrn };
}

export function toMandateState({ status }: MandateObject): MandateState['status'] {
  return status === 'revoked' ? 'cancelled' : status;
}

export function toDebitStatus(wire: DebitObject): ProviderPaymentStatus {
  switch (wire.status) {
    case 'processing':
      return { status: 'waiting' };
    case 'captured':
      return { status: 'captured', ...toCapture(wire) };
    case 'failed':
      return { status: 'failed', ...toFailure(wire, 'The debit failed') };
    default:
      return wire satisfies never;
  }
}

/** The URI of the requested registration. One that has already ended is a no; a URI with a fault is never shown. */
export function mandateUriOf(
  answer: Answer<AuthorisationObject, PaymentFailureCode>,
  registration: MandateRegistration,
): Answer<{ readonly uri: string }, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const asked = askedOf(answer);
  if (asked.kind !== 'yes') return asked;
  const uri = answer.value.upi_uri;
  if (uri === null) return notUnderstood('the authorisation has no URI');
  const fault = mandateUriFault(uri, registration);
  return fault ? notUnderstood(`the URI ${fault}`) : { kind: 'yes', value: { uri } };
}

/** The request has reached the investor, or the investor has already answered; one that ended without a mandate is a no. */
export function askedOf(
  answer: Answer<AuthorisationObject, PaymentFailureCode>,
): Answer<null, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const status = toAuthorisationStatus(answer.value);
  return status.status === 'failed' || status.status === 'rejected'
    ? { kind: 'no', failure_code: status.failure_code, message: status.message }
    : { kind: 'yes', value: null };
}

/** A cancellation succeeds only when the authorisation has certainly ended. */
export function withdrawnOf(answer: Answer<AuthorisationObject>): Answer<null> {
  if (answer.kind !== 'yes') return answer;
  const { status } = toAuthorisationStatus(answer.value);
  if (status === 'waiting') return notUnderstood('the cancelled authorisation still waits');
  if (status === 'failed' || status === 'rejected') return { kind: 'yes', value: null };
  return { kind: 'no', failure_code: 'already_authorised', message: 'The investor has authorised it' };
}

/** A revocation succeeds only when the mandate has certainly ended, for any reason. */
export function endedOf(answer: Answer<MandateObject>): Answer<null> {
  if (answer.kind !== 'yes') return answer;
  const { status } = answer.value;
  return status === 'active' || status === 'paused'
    ? notUnderstood(`the revoked mandate is ${status}`)
    : { kind: 'yes', value: null };
}

/** The proof is the notice as gatewaypoa returned it: its content, its planned time, and when it was sent. One that the investor has refused is a no. */
export function toNotice(wire: NoticeObject): Answer<DebitNotice, PaymentFailureCode> {
  if (wire.status === 'opted_out')
    return { kind: 'no', failure_code: 'debit_opted_out', message: 'The investor has refused this debit' };
  if (wire.status !== 'sent') return notUnderstood('the notice has been withdrawn');
  const { notice_reference, amount_paise, execute_at, sent_at } = wire;
  const content = { amount: Decimal.ofPaise(amount_paise), execute_at: new Date(execute_at) };
  const proof = JSON.stringify(wire);
  return { kind: 'yes', value: { notice_reference, proof, ...content, sent_at: new Date(sent_at) } };
}

/** Accepted, and the result comes by callback or status; an attempt that has already failed is a no. */
export function executionOf(
  answer: Answer<DebitObject, PaymentFailureCode>,
): Answer<null, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const status = toDebitStatus(answer.value);
  return status.status === 'failed'
    ? { kind: 'no', failure_code: status.failure_code, message: status.message }
    : { kind: 'yes', value: null };
}

export function fromRegistration(
  registration: MandateRegistration,
  codes: MandateUriCodes,
): AuthorisationRequest {
  const { limit, expires_at, reference, payment_id, mandate_id, tenant, mandate_ref } = registration;
  const { mandate_type, payee_name, valid_from, valid_to, payer } = registration;
  return {
    ...{ reference, payment_id, mandate_id, tenant, mandate_ref, mandate_type, payee_name },
    ...{ limit_paise: limit.toPaise(), valid_from, valid_to, payer },
    ...{ expires_at: expires_at.toISOString(), purpose: codes.purpose, mode: codes.mode },
  };
}

export function fromNotice(notice: ProviderNotice): NoticeRequest {
  const { merchant, mandate_ref, reason } = notice;
  return { ...planned(notice), reference: noticeKey(notice), merchant, mandate_ref, reason };
}

export function fromDebit(debit: ProviderDebit): DebitRequest {
  const { reference, notice_reference, attempt } = debit;
  return { ...planned(debit), reference, notice_reference, attempt };
}

function planned({ payment_reference, payment_id, tenant, amount, mandate, execute_at }: ProviderDebit) {
  return {
    ...{ payment_reference, payment_id, tenant, mandate_token: mandate.mandate_token },
    ...{ amount_paise: amount.toPaise(), execute_at: execute_at.toISOString() },
  };
}
