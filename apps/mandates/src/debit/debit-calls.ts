import type { PaymentFailureCode } from '@fundrail/contracts';
import { attemptReference, isNotDone, noticeReference, paymentReference } from '@fundrail/providers';
import type { Answer, DebitNotice, NotDone, ProviderDebit, ProviderPaymentStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls, type CallName } from '@fundrail/service-kit/calls';
import { Injectable } from '@nestjs/common';
import type { Mandate } from '../mandate/mandate.ts';
import { InvestorContacts } from '../outside/investor-contacts.ts';
import { MandateProviders, type MandateProvider } from '../outside/mandate-providers.ts';
import type { DebitOfMandate } from './debit.ts';
import type { Debit } from './debit.table.ts';
import { SendingPace } from './sending/sending-pace.ts';

type Answered<T> = Answer<T, PaymentFailureCode>;

/** Calls about debits to their provider, each recorded. Call them outside any transaction, after the intent of the call is committed. */
@Injectable()
export class DebitCalls {
  constructor(
    private readonly providers: MandateProviders,
    private readonly contacts: InvestorContacts,
    private readonly pace: SendingPace,
    private readonly calls: RecordedCalls,
    private readonly log: Log,
  ) {}

  /** An attempt as it is sent. A notice is sent as the first attempt. Throws 503 when identity does not return needed contacts. */
  async request({ debit, mandate }: DebitOfMandate, attempt: number): Promise<ProviderDebit> {
    const { payment_id, tenant, amount, notice_number, notice_reference, mf_investment_account } = debit;
    const needsContact = this.providers.needsContact(mandate.provider_name);
    return {
      reference: attemptReference(payment_id, attempt),
      payment_reference: paymentReference(payment_id),
      payment_id,
      tenant,
      amount,
      mandate: namesOf(mandate),
      attempt,
      execute_at: debit.execute_at ?? debit.admitted_at,
      notice_number,
      notice_reference,
      contact: await this.contacts.of(tenant, needsContact ? mf_investment_account : null),
    };
  }

  /** A repeated notice has the same facts; only its time may be a later one (DEB-8). */
  async notify(both: DebitOfMandate): Promise<Answered<DebitNotice>> {
    const request = await this.request(both, 1);
    const { payment_id, old_id, notice_merchant } = both.debit;
    if (notice_merchant === null) throw new Error(`the notice of debit ${payment_id} has no merchant`);
    const answer = await this.of(both.mandate).notifyDebit({
      ...request,
      merchant: notice_merchant,
      mandate_ref: both.mandate.mandate_ref,
      reason: `Mutual fund order ${old_id}`,
    });
    return this.recorded(both, noticeOf(both.debit), 'notify', answer);
  }

  /** At a reserved place of the provider's pace. */
  async execute(both: DebitOfMandate, request: ProviderDebit): Promise<Answered<null>> {
    const called = await this.of(both.mandate).executeDebit(request);
    if (isNotDone(called)) await this.hold(both.mandate, called);
    return this.recorded(both, request.reference, 'execute', called);
  }

  /** A 429 of the provider concerns all replicas; a call that was held back only this process (decision 0024). */
  private async hold({ provider_name }: Mandate, { why, retry_after_ms }: NotDone): Promise<void> {
    if (why === 'too_many_requests') await this.pace.close(provider_name, retry_after_ms);
    else this.pace.closeHere(provider_name, retry_after_ms);
  }

  async status(both: DebitOfMandate, attempt: number): Promise<Answered<ProviderPaymentStatus>> {
    const request = await this.request(both, attempt);
    return this.recorded(both, request.reference, 'status', await this.of(both.mandate).debitStatus(request));
  }

  async withdraw(both: DebitOfMandate): Promise<Answer<null>> {
    const request = await this.request(both, 1);
    const answer = await this.of(both.mandate).withdrawNotice(request);
    return this.recorded(both, noticeOf(both.debit), 'withdraw', answer);
  }

  /** Whether the provider reports that the mandate has ended or does not exist. No answer means false. */
  async isMandateGone(both: DebitOfMandate): Promise<boolean> {
    const reported = await this.of(both.mandate).mandateStatus(namesOf(both.mandate));
    const answer = await this.recorded(both, noticeOf(both.debit), 'mandate_status', reported);
    if (answer.kind !== 'yes') return answer.kind === 'not_found';
    const { status } = answer.value;
    return status === 'cancelled' || status === 'expired' || status === 'rejected';
  }

  /** Whether the provider may process an attempt twice. */
  mayDebitTwice({ mandate }: DebitOfMandate): boolean {
    return this.of(mandate).mayDebitTwice;
  }

  private of({ provider_name }: Mandate): MandateProvider {
    const provider = this.providers.of(provider_name);
    if (!provider) throw new Error(`${provider_name} does not support mandates`);
    return provider;
  }

  private async recorded<A extends Answer<unknown>>(
    { debit: { tenant, payment_id } }: DebitOfMandate,
    reference: string,
    call: CallName,
    answer: A,
  ): Promise<A> {
    await this.calls.record({ payment: { id: payment_id, tenant }, reference }, call, answer);
    if (answer.kind === 'unknown') {
      const { why, detail } = answer;
      const about = { tenant, payment_id, call, why, detail };
      this.log.warn('the provider gave no usable answer about a debit', about);
    }
    return answer;
  }
}

/** The provider's names of an approved mandate, which do not change. */
function namesOf({ id, mandate_type, mandate_token, provider_id, umrn }: Mandate): ProviderDebit['mandate'] {
  if (mandate_token === null) throw new Error(`mandate ${id} has no token at its provider`);
  return { mandate_type, mandate_token, provider_id, umrn };
}

function noticeOf({ payment_id, notice_number }: Debit): string {
  return noticeReference(payment_id, notice_number);
}
