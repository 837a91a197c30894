import { istDate, type PaymentFailureCode, type PermitOfMany, type TakePermit } from '@fundrail/contracts';
import { isNotDone } from '@fundrail/providers';
import type {
  Answer,
  DebitNotice,
  NotDone,
  ProviderDebit,
  ProviderMandates,
  ProviderPaymentStatus,
} from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { Mandates } from '../outside/mandates-client.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { Payment } from '../payment/payment.ts';
import { noticeReference } from '../payment/references.ts';
import type { CallName } from '../trace/provider-call.repository.ts';
import { ProviderCalls } from '../trace/provider-calls.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import type { AttemptRow, Debit } from './debit.tables.ts';
import { ProviderDebits } from './provider-debits.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** Mandates refused the permit, so the provider was not called. */
interface Forbidden {
  readonly kind: 'forbidden';
  readonly code: PaymentFailureCode;
}
/** The mandate is in doubt (mandates, DEB-7): the provider was not called, and the permit is requested again. */
interface InDoubt {
  readonly kind: 'in_doubt';
}
/** An attempt with its payment and debit, which was not sent yet. */
type NewAttempt = PaymentWithDebit & { readonly attempt: AttemptRow };
/** The call that a permit allows. */
type PermittedCall = Pick<TakePermit, 'step' | 'attempt' | 'resend'>;
type Unpermitted = Forbidden | InDoubt;
type Answered<T> = Answer<T, PaymentFailureCode>;

/**
 * Calls about debits to their provider. Notice and execution each take a permit right before the call (DEB-5). Call them outside any
 * transaction. Each throws 503 when another service does not answer; the provider was not called then.
 */
@Injectable()
export class DebitCalls {
  constructor(
    private readonly mandates: Mandates,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderDebits,
    private readonly pace: SendingPace,
    private readonly calls: ProviderCalls,
    private readonly log: Log,
  ) {}

  async notify(payment: Payment, debit: Debit): Promise<Answered<DebitNotice> | Unpermitted> {
    // What can fail comes before the permit, so that no permit stays open without its call.
    const request = await this.toProvider.of(payment, debit, 1);
    const forbidden = await this.permit(payment, debit, { step: 'notify', attempt: 1, resend: false });
    if (forbidden) return forbidden;
    const answer = await this.of(payment).notifyDebit(request);
    return this.recorded(payment, noticeOf(debit), 'notify', answer);
  }

  /** `resend`: the provider did not receive the attempt's first call. */
  async execute(
    payment: Payment,
    debit: Debit,
    attempt: number,
    resend: boolean,
  ): Promise<Answered<null> | Unpermitted> {
    const request = await this.toProvider.of(payment, debit, attempt);
    const forbidden = await this.permit(payment, debit, { step: 'execute', attempt, resend });
    return forbidden ?? this.executePermitted(payment, request);
  }

  /** The request of an attempt's call. It can fail, so it comes before the permit. */
  request(payment: Payment, debit: Debit, attempt: number): Promise<ProviderDebit> {
    return this.toProvider.of(payment, debit, attempt);
  }

  /** Takes the permits of new attempts in one call. The provider does not know them: mandates decides again about a postponed one. */
  permitAll(attempts: readonly NewAttempt[]): Promise<readonly PermitOfMany[]> {
    return this.mandates.permitAll(
      attempts.map(({ payment, debit, attempt: { number: attempt } }) =>
        permitRequest(payment, debit, { step: 'execute', attempt, resend: true }),
      ),
    );
  }

  /** With a permit that was just taken, at a reserved place of the provider's pace. */
  async executePermitted(payment: Payment, request: ProviderDebit): Promise<Answered<null>> {
    const called = await this.of(payment).executeDebit(request);
    if (isNotDone(called)) await this.hold(payment, called);
    return this.recorded(payment, request.reference, 'execute', called);
  }

  /** A 429 of the provider concerns all replicas; a call that was held back only this process (decision 0024). */
  private async hold({ provider_name }: Payment, { why, retry_after_ms }: NotDone): Promise<void> {
    if (why === 'too_many_requests') await this.pace.close(provider_name, retry_after_ms);
    else this.pace.closeHere(provider_name, retry_after_ms);
  }

  async status(payment: Payment, debit: Debit, attempt: number): Promise<Answered<ProviderPaymentStatus>> {
    const request = await this.toProvider.of(payment, debit, attempt);
    return this.recorded(payment, request.reference, 'status', await this.of(payment).debitStatus(request));
  }

  async withdraw(payment: Payment, debit: Debit): Promise<Answer<null>> {
    const request = await this.toProvider.of(payment, debit, 1);
    return this.recorded(
      payment,
      noticeOf(debit),
      'withdraw',
      await this.of(payment).withdrawNotice(request),
    );
  }

  /** Whether the provider reports that the mandate has ended or does not exist. No answer means false. */
  async isMandateGone(payment: Payment, debit: Debit): Promise<boolean> {
    const { mandate_type, mandate_token, provider_id, umrn } = debit;
    const mandate = { mandate_type, mandate_token, provider_id, umrn };
    const reported = await this.of(payment).mandateStatus(mandate);
    const answer = await this.recorded(payment, noticeOf(debit), 'mandate_status', reported);
    if (answer.kind !== 'yes') return answer.kind === 'not_found';
    const { status } = answer.value;
    return status === 'cancelled' || status === 'expired' || status === 'rejected';
  }

  private async permit(payment: Payment, debit: Debit, call: PermittedCall): Promise<Unpermitted | null> {
    const permit = await this.mandates.permit(permitRequest(payment, debit, call));
    if (permit.outcome === 'later') return { kind: 'in_doubt' };
    return permit.outcome === 'refused' ? { kind: 'forbidden', code: permit.code } : null;
  }

  /** Whether the provider may process an attempt twice. */
  mayDebitTwice(payment: Payment): boolean {
    return this.of(payment).mayDebitTwice;
  }

  private of({ provider_name }: Payment): ProviderMandates {
    const { mandates } = this.providers.of(provider_name);
    if (!mandates) throw new Error(`${provider_name} does not support mandates`);
    return mandates;
  }

  private async recorded<A extends Answer<unknown>>(
    payment: Payment,
    reference: string,
    call: CallName,
    answer: A,
  ): Promise<A> {
    const { tenant, id: payment_id } = payment;
    await this.calls.record({ payment, reference }, call, answer);
    if (answer.kind === 'unknown') {
      const { why, detail } = answer;
      const about = { tenant, payment_id, call, why, detail };
      this.log.warn('the provider gave no usable answer about a debit', about);
    }
    return answer;
  }
}

function noticeOf({ payment_id, notice_number }: Debit): string {
  return noticeReference(payment_id, notice_number);
}

function permitRequest(
  { tenant, id: payment_id }: Payment,
  { mandate_id, execute_at }: Debit,
  call: PermittedCall,
): TakePermit {
  return { tenant, mandate_id, payment_id, execute_on: istDate(execute_at), ...call };
}
