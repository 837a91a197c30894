import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { askingAbout } from '../authorisation/asking.ts';
import type { Asking, FailedAttempt } from '../authorisation/asking.ts';
import { surplusSaid } from '../authorisation/authorisation.ts';
import { unknownMandates } from '../authorisation/mandate-token.repository.ts';
import { attemptsOf, failAttempts } from '../checkout-page/attempt.repository.ts';
import { failedOf } from '../checkout-page/attempt.ts';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from './change-payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { andThen, mayTryAgain, note, providerFailed, unchanged } from './payment.ts';

/**
 * What asking came to: `told` is applied already, and so is `on_its_way`, after which the bank has a last word; `waiting` for the
 * investor, `silent` is to be asked again, `not_found` never arrived there.
 */
export type Asked = 'told' | 'on_its_way' | 'waiting' | 'silent' | 'not_found';

/** Asks a payment's provider how it stands, or to let the investor do no more about it, and applies what it says. Call it outside any transaction. */
@Injectable()
export class AskProvider {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly change: ChangePayment,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async status(payment: Payment): Promise<Asked> {
    // As they are now: one that is begun while the provider is asked is not what it speaks of.
    const attempts = payment.token_used_at === null ? [] : await attemptsOf(this.database, payment);
    const answer = await this.asking(payment).status();
    await passFaultPoint('payments.status_answered');
    this.noteSilence(payment, 'status', answer);
    if (answer.kind === 'unknown') return 'silent';
    if (answer.kind === 'not_found') return 'not_found';
    await this.change.execute(payment, async (row, tx) => {
      const failed = failureIn(answer);
      if (failed && mayTryAgain(row, tx.now))
        await failAttempts(tx, row, failedOf(attempts, failed.isNewestOnly), failed.code);
      const outcome = outcomeOf(row, answer, tx.now);
      const told = answer.kind === 'yes' ? answer.value.surplus : [];
      const surplus = await unknownMandates(tx, row.provider_name, told);
      return andThen(outcome, (after) => surplusSaid(after, surplus));
    });
    await passFaultPoint('payments.status_applied');
    if (answer.kind === 'yes' && answer.value.isOnItsWay) return 'on_its_way';
    return answer.kind === 'yes' && answer.value.isWaiting ? 'waiting' : 'told';
  }

  /** Whether its provider knows orders that are tried more than once, so that money or a mandate may come of one twice. */
  maySucceedTwice({ provider_name, payment_type }: Payment): boolean {
    return payment_type !== 'NACH' && this.providers.of(provider_name).checkout !== null;
  }

  /** `told`: it is closed there for good. A payment that was paid already is asked about, and so becomes SUCCESS or late. */
  async close(
    payment: Payment,
    whenClosed: (row: Payment, now: Date) => Outcome,
  ): Promise<Exclude<Asked, 'waiting'>> {
    const answer = await this.asking(payment).cancel();
    await passFaultPoint('payments.cancel_answered');
    this.noteSilence(payment, 'cancel', answer);
    if (answer.kind === 'no') return this.whyNotClosed(payment);
    if (answer.kind !== 'yes') return answer.kind === 'unknown' ? 'silent' : 'not_found';
    await this.change.execute(payment, (row, tx) => {
      const closed = row.provider_closed_at
        ? unchanged(row)
        : note(row, 'close_at_provider', { provider_closed_at: tx.now });
      return andThen(closed, (after) => whenClosed(after, tx.now));
    });
    return 'told';
  }

  /** Who refuses to close a payment knows how it ended. Still waiting, or never heard of, does not go with a refusal. */
  private async whyNotClosed(payment: Payment): Promise<'told' | 'on_its_way' | 'silent'> {
    const asked = await this.status(payment);
    return asked === 'told' || asked === 'on_its_way' ? asked : 'silent';
  }

  private asking(payment: Payment): Asking {
    return askingAbout(payment, this.providers.of(payment.provider_name));
  }

  private noteSilence(payment: Payment, call: string, answer: Answer<unknown>): void {
    if (answer.kind !== 'unknown') return;
    const { tenant, id, provider_name } = payment;
    this.log.warn('the provider gave no answer that counts', {
      tenant,
      payment_id: id,
      provider_name,
      call,
      why: answer.why,
      detail: answer.detail,
    });
  }
}

type StatusAnswer = Awaited<ReturnType<Asking['status']>>;
type Answered = Exclude<StatusAnswer, { kind: 'unknown' | 'not_found' }>;

function failureIn(answer: Answered): FailedAttempt | null {
  return answer.kind === 'no' ? { code: answer.failure_code, isNewestOnly: false } : answer.value.failed;
}

function outcomeOf(row: Payment, answer: Answered, now: Date): Outcome {
  return answer.kind === 'yes'
    ? answer.value.decide(row, now)
    : providerFailed(row, answer.failure_code, now);
}
