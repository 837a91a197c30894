import { istDate } from '@fundrail/contracts';
import type { PaymentFailureCode } from '@fundrail/contracts';
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
import type { Debit } from './debit.ts';
import { ProviderDebits } from './provider-debits.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** Mandates gave no permit, so nothing was asked of the provider. */
export interface Forbidden {
  readonly kind: 'forbidden';
  readonly code: PaymentFailureCode;
}
/** The mandate is in doubt (mandates, contract §4): nothing was asked of the provider, and the permit is asked for again. */
export interface InDoubt {
  readonly kind: 'in_doubt';
}
type Unpermitted = Forbidden | InDoubt;
type Asked<T> = Answer<T, PaymentFailureCode>;

/**
 * Calls about debits at their provider, the two that lead to money each with a permit taken right before it (contract §4). Call
 * them outside any transaction. Each throws 503 when a neighbour does not answer; then the provider was not asked.
 */
@Injectable()
export class DebitCalls {
  constructor(
    private readonly mandates: Mandates,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderDebits,
    private readonly pace: SendingPace,
    private readonly log: Log,
  ) {}

  async notify(payment: Payment, debit: Debit): Promise<Asked<DebitNotice> | Unpermitted> {
    // Whatever may fail comes before the permit, so that none is left open without its call.
    const asked = await this.toProvider.of(payment, debit, 1);
    const forbidden = await this.permit(payment, debit, 'notify', 1);
    return forbidden ?? this.noted(payment, 'notify', await this.of(payment).notifyDebit(asked));
  }

  /** `resend`: the provider never heard of the attempt's first call. */
  async execute(
    payment: Payment,
    debit: Debit,
    attempt: number,
    resend: boolean,
  ): Promise<Asked<null> | Unpermitted> {
    const asked = await this.toProvider.of(payment, debit, attempt);
    const forbidden = await this.permit(payment, debit, 'execute', attempt, resend);
    return forbidden ?? this.executePermitted(payment, asked);
  }

  /** With a permit that was taken right before, at a place of its provider's pace. */
  async executePermitted(payment: Payment, asked: ProviderDebit): Promise<Asked<null>> {
    const answer = this.noted(payment, 'execute', await this.of(payment).executeDebit(asked));
    if (isNotDone(answer)) await this.hold(payment, answer);
    return answer;
  }

  /** The provider says 429 to all replicas; a call that was held back tells of this process's calls alone (decision 0024). */
  private async hold({ provider_name }: Payment, { why, retry_after_ms }: NotDone): Promise<void> {
    if (why === 'too_many_requests') await this.pace.close(provider_name, retry_after_ms);
    else this.pace.closeHere(provider_name, retry_after_ms);
  }

  async status(payment: Payment, debit: Debit, attempt: number): Promise<Asked<ProviderPaymentStatus>> {
    const asked = await this.toProvider.of(payment, debit, attempt);
    return this.noted(payment, 'status', await this.of(payment).debitStatus(asked));
  }

  async withdraw(payment: Payment, debit: Debit): Promise<Answer<null>> {
    const asked = await this.toProvider.of(payment, debit, 1);
    return this.noted(payment, 'withdraw', await this.of(payment).withdrawNotice(asked));
  }

  /** Whether the provider says of the mandate that it has ended, or that it knows none of that name. Silence says neither. */
  async isMandateGone(payment: Payment, debit: Debit): Promise<boolean> {
    const { mandate_type, mandate_token, provider_id, umrn } = debit;
    const mandate = { mandate_type, mandate_token, provider_id, umrn };
    const answer = this.noted(payment, 'mandate_status', await this.of(payment).mandateStatus(mandate));
    if (answer.kind !== 'yes') return answer.kind === 'not_found';
    const { status } = answer.value;
    return status === 'cancelled' || status === 'expired' || status === 'rejected';
  }

  private async permit(
    { tenant, id: payment_id }: Payment,
    { mandate_id, execute_at }: Debit,
    step: 'notify' | 'execute',
    attempt: number,
    resend = false,
  ): Promise<Unpermitted | null> {
    const execute_on = istDate(execute_at);
    const asked = { tenant, mandate_id, payment_id, step, attempt, execute_on, resend };
    const permit = await this.mandates.permit(asked);
    if (permit.outcome === 'later') return { kind: 'in_doubt' };
    return permit.outcome === 'refused' ? { kind: 'forbidden', code: permit.code } : null;
  }

  /** Whether an attempt may bring its money twice. */
  mayDebitTwice(payment: Payment): boolean {
    return this.of(payment).mayDebitTwice;
  }

  private of({ provider_name }: Payment): ProviderMandates {
    const { mandates } = this.providers.of(provider_name);
    if (!mandates) throw new Error(`${provider_name} takes no mandates`);
    return mandates;
  }

  private noted<A extends Answer<unknown>>({ tenant, id: payment_id }: Payment, call: string, answer: A): A {
    if (answer.kind === 'unknown') {
      const { why, detail } = answer;
      const about = { tenant, payment_id, call, why, detail };
      this.log.warn('the provider gave no answer about a debit that counts', about);
    }
    return answer;
  }
}
