import type { PaymentFailureCode } from '@fundrail/contracts';
import type {
  Answer,
  AuthorisationStatus,
  PaymentProvider,
  ProviderPaymentStatus,
  SurplusMandate,
} from '@fundrail/providers';
import { providerSaid } from '../payment/capture.ts';
import type { Outcome, Payment } from '../payment/payment.ts';
import { paymentReference } from '../payment/references.ts';
import { authorisationSaid } from './authorisation.ts';

/** Why an attempt on the hosted page failed, and whether only the newest one did. */
export interface FailedAttempt {
  readonly code: PaymentFailureCode;
  readonly isNewestOnly: boolean;
}

/** What a provider said of a payment or of an authorisation, and what that comes to. */
export interface Said {
  readonly isWaiting: boolean;
  /** The investor has authorised, and the bank has not said so yet: it may take days. */
  readonly isOnItsWay: boolean;
  readonly failed: FailedAttempt | null;
  /** Mandates that the investor made besides the one that is told. */
  readonly surplus: readonly SurplusMandate[];
  readonly decide: (row: Payment, now: Date) => Outcome;
}

/** The provider's calls about what the investor does: pay, or authorise a mandate. */
export interface Asking {
  status(): Promise<Answer<Said, PaymentFailureCode>>;
  cancel(): Promise<Answer<null>>;
}

export function askingAbout({ id, payment_type }: Payment, provider: PaymentProvider): Asking {
  const reference = paymentReference(id);
  if (payment_type !== 'AUTH_TRANSACTION')
    return {
      status: async () =>
        read(await provider.paymentStatus(reference), (said) => ({
          isWaiting: said.status === 'waiting',
          isOnItsWay: false,
          failed: failureIn(said),
          surplus: [],
          decide: (row, now) => providerSaid(row, said, now),
        })),
      cancel: () => provider.cancel(reference),
    };
  const { mandates } = provider;
  if (!mandates) throw new Error(`${provider.name} takes no mandates`);
  return {
    status: async () =>
      read(asSaid(await mandates.authorisationStatus(reference)), (said) => ({
        isWaiting: said.status === 'waiting',
        isOnItsWay: said.status === 'received' || said.status === 'submitted',
        failed: said.status === 'failed' ? { code: said.failure_code, isNewestOnly: false } : null,
        surplus: said.status === 'approved' ? (said.others ?? []) : [],
        decide: (row, now) => authorisationSaid(row, said, now),
      })),
    cancel: () => mandates.cancelAuthorisation(reference),
  };
}

/** A refusal to the question is the failure of the authorisation: mandates hears of it like of any other. */
function asSaid(
  answer: Answer<AuthorisationStatus, PaymentFailureCode>,
): Answer<AuthorisationStatus, PaymentFailureCode> {
  if (answer.kind !== 'no') return answer;
  const { failure_code, message } = answer;
  return { kind: 'yes', value: { status: 'failed', failure_code, message } };
}

function failureIn(said: ProviderPaymentStatus): FailedAttempt | null {
  if (said.status === 'failed') return { code: said.failure_code, isNewestOnly: false };
  return said.status === 'waiting' && said.newest_failed
    ? { code: said.newest_failed, isNewestOnly: true }
    : null;
}

function read<T>(
  answer: Answer<T, PaymentFailureCode>,
  said: (value: T) => Said,
): Answer<Said, PaymentFailureCode> {
  return answer.kind === 'yes' ? { kind: 'yes', value: said(answer.value) } : answer;
}
