import type { PaymentFailureCode } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type {
  Answer,
  AuthorisationStatus,
  PaymentProvider,
  ProviderPaymentStatus,
  SurplusMandate,
} from '@fundrail/providers';
import type { Payment } from '../../payment/payment.ts';
import { applyPaymentStatus, type Decide } from '../collection.ts';
import { applyAuthorisationStatus } from './authorisation.ts';

/** Why an attempt on the hosted page failed, and whether only the newest one did. */
export interface FailedAttempt {
  readonly code: PaymentFailureCode;
  readonly isNewestOnly: boolean;
}

/** A status that a provider reported for a payment or an authorisation, and its effect. */
interface ReportedStatus {
  /** The provider's name of the status, for the record of calls. */
  readonly status: string;
  readonly isWaiting: boolean;
  /** The investor has authorised, but the bank has not confirmed yet. It may take days. */
  readonly isOnItsWay: boolean;
  readonly failed: FailedAttempt | null;
  /** Mandates that the investor authorised besides the one in `decide`. */
  readonly surplus: readonly SurplusMandate[];
  readonly decide: Decide;
}

/** The provider's status and cancel calls, the same for a payment and for an authorisation. */
export interface StatusCalls {
  status(): Promise<Answer<ReportedStatus, PaymentFailureCode>>;
  cancel(): Promise<Answer<null>>;
}

export function statusCallsFor({ id, payment_type }: Payment, provider: PaymentProvider): StatusCalls {
  const reference = paymentReference(id);
  if (payment_type !== 'AUTH_TRANSACTION')
    return {
      status: async () =>
        read(await provider.paymentStatus(reference), (reported) => ({
          status: reported.status,
          isWaiting: reported.status === 'waiting',
          isOnItsWay: false,
          failed: failureIn(reported),
          surplus: [],
          decide: (row, now) => applyPaymentStatus(row, reported, now),
        })),
      cancel: () => provider.cancel(reference),
    };
  const { mandates } = provider;
  if (!mandates) throw new Error(`${provider.name} does not support mandates`);
  return {
    status: async () =>
      read(asStatus(await mandates.authorisationStatus(reference)), (reported) => ({
        status: reported.status,
        isWaiting: reported.status === 'waiting',
        isOnItsWay: reported.status === 'received' || reported.status === 'submitted',
        failed: reported.status === 'failed' ? { code: reported.failure_code, isNewestOnly: false } : null,
        surplus: reported.status === 'approved' ? (reported.others ?? []) : [],
        decide: (row, now) => applyAuthorisationStatus(row, reported, now),
      })),
    cancel: () => mandates.cancelAuthorisation(reference),
  };
}

/** A refused status call counts as a failed authorisation, so that mandates is notified of it as of any failure. */
function asStatus(
  answer: Answer<AuthorisationStatus, PaymentFailureCode>,
): Answer<AuthorisationStatus, PaymentFailureCode> {
  if (answer.kind !== 'no') return answer;
  const { failure_code, message } = answer;
  return { kind: 'yes', value: { status: 'failed', failure_code, message } };
}

function failureIn(reported: ProviderPaymentStatus): FailedAttempt | null {
  if (reported.status === 'failed') return { code: reported.failure_code, isNewestOnly: false };
  return reported.status === 'waiting' && reported.newest_failed
    ? { code: reported.newest_failed, isNewestOnly: true }
    : null;
}

function read<T>(
  answer: Answer<T, PaymentFailureCode>,
  toStatus: (value: T) => ReportedStatus,
): Answer<ReportedStatus, PaymentFailureCode> {
  return answer.kind === 'yes' ? { kind: 'yes', value: toStatus(answer.value) } : answer;
}
