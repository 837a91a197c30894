import { paymentReference } from '@fundrail/providers';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls } from '@fundrail/service-kit/calls';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { Payment } from '../payment/payment.ts';
import { reportSurplus } from './authorisation/authorisation.ts';
import { unknownMandates } from './authorisation/mandate-token.repository.ts';
import { statusCallsFor, type FailedAttempt, type StatusCalls } from './authorisation/status-calls.ts';
import { ChangeCollection } from './change-collection.ts';
import { attemptsOf, failAttempts } from './checkout-page/attempt.repository.ts';
import { failedAttempts } from './checkout-page/attempt.ts';
import { checkoutOf, closeAtProvider, mayTryAgain, providerFailed, chain } from './collection.ts';
import type { Collection, CollectionOutcome, Decide } from './collection.ts';

/**
 * The result of a call. `applied`: the reported status is applied. `on_its_way`: applied too, but the bank still has to confirm.
 * `waiting`: the investor has not acted yet. `silent`: no answer, ask again. `not_found`: the payment never reached the provider.
 */
export type Asked = 'applied' | 'on_its_way' | 'waiting' | 'silent' | 'not_found';

/** Asks a payment's provider for the status, or to close the payment, and applies the answer. Call it outside any transaction. */
@Injectable()
export class AskProvider {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly change: ChangeCollection,
    private readonly calls: RecordedCalls,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async status(payment: Collection): Promise<Asked> {
    // Read before the call: the answer does not cover an attempt that starts during the call.
    const isOpened = (checkoutOf(payment)?.opened_at ?? null) !== null;
    const attempts = isOpened ? await attemptsOf(this.database, payment) : [];
    const answer = await this.callsFor(payment).status();
    await passFaultPoint('payments.status_answered');
    await this.record(payment, 'status', answer);
    if (answer.kind === 'unknown') return 'silent';
    if (answer.kind === 'not_found') return 'not_found';
    await this.change.execute(payment, async (row, tx) => {
      const failed = failureIn(answer);
      if (failed && mayTryAgain(row, tx.now))
        await failAttempts(tx, payment, failedAttempts(attempts, failed.isNewestOnly), failed.code);
      const others = answer.kind === 'yes' ? answer.value.surplus : [];
      const surplus = await unknownMandates(tx, payment.provider_name, others);
      return chain(outcomeOf(row, answer, tx.now), (after) => reportSurplus(after, surplus));
    });
    await passFaultPoint('payments.status_applied');
    if (answer.kind === 'yes' && answer.value.isOnItsWay) return 'on_its_way';
    return answer.kind === 'yes' && answer.value.isWaiting ? 'waiting' : 'applied';
  }

  /** Whether its provider has orders that can be tried more than once, so that one order may be paid or authorised twice. */
  maySucceedTwice({ provider_name, payment_type }: Payment): boolean {
    return payment_type !== 'NACH' && this.providers.of(provider_name).checkout !== null;
  }

  /** `applied`: the provider closed it for good. A refusal is followed by a status call, which finds a payment that was paid already. */
  async close(payment: Collection, whenClosed: Decide): Promise<Exclude<Asked, 'waiting'>> {
    const answer = await this.callsFor(payment).cancel();
    await passFaultPoint('payments.cancel_answered');
    await this.record(payment, 'cancel', answer);
    if (answer.kind === 'no') return this.whyNotClosed(payment);
    if (answer.kind !== 'yes') return answer.kind === 'unknown' ? 'silent' : 'not_found';
    await this.change.execute(payment, (row, tx) =>
      chain(closeAtProvider(row), (after) => whenClosed(after, tx.now)),
    );
    return 'applied';
  }

  /** A provider that refuses to close a payment knows how it ended, so `waiting` or `not_found` contradicts the refusal. */
  private async whyNotClosed(payment: Collection): Promise<'applied' | 'on_its_way' | 'silent'> {
    const asked = await this.status(payment);
    return asked === 'applied' || asked === 'on_its_way' ? asked : 'silent';
  }

  private callsFor(payment: Payment): StatusCalls {
    return statusCallsFor(payment, this.providers.of(payment.provider_name));
  }

  private async record(payment: Payment, call: 'status' | 'cancel', answer: Answer<unknown>): Promise<void> {
    const { tenant, id, provider_name } = payment;
    await this.calls.record({ payment, reference: paymentReference(id) }, call, answer);
    if (answer.kind !== 'unknown') return;
    this.log.warn('the provider gave no usable answer', {
      tenant,
      payment_id: id,
      provider_name,
      call,
      why: answer.why,
      detail: answer.detail,
    });
  }
}

type StatusAnswer = Awaited<ReturnType<StatusCalls['status']>>;
type Answered = Exclude<StatusAnswer, { kind: 'unknown' | 'not_found' }>;

function failureIn(answer: Answered): FailedAttempt | null {
  return answer.kind === 'no' ? { code: answer.failure_code, isNewestOnly: false } : answer.value.failed;
}

function outcomeOf(row: Collection, answer: Answered, now: Date): CollectionOutcome {
  return answer.kind === 'yes'
    ? answer.value.decide(row, now)
    : providerFailed(row, answer.failure_code, now);
}
