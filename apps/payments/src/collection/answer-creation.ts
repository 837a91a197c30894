import { ApiError } from '@fundrail/contracts';
import { Database, isKeyTakenOver } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { ChangeCollection } from './change-collection.ts';
import type { Collection, Decide } from './collection.ts';
import { GiveUpCreation } from './give-up-creation.ts';
import { ProviderRefused } from './provider-refused.ts';

/** The change that records the provider's answer, and the answer to the client. */
export interface Started<Dto> {
  readonly decide: Decide;
  readonly answer: (payment: Collection) => Dto;
}

/**
 * Answers a creation that needs the provider's answer (PAY-12): the URI, or the order for SDK options. The provider is called after the
 * payment is committed and outside of any transaction, while the idempotency key is still open. The provider's answer and ours are recorded
 * together, so that a creation that was answered is never given up. On a refusal or no answer nothing can have been paid: the payment fails
 * and its claim is released in the same request, which answers 422 with the provider's reason, or 503. `payment.expire` gives up a request
 * that died; if it was only slow, it finds the payment FAILED and answers 503.
 */
@Injectable()
export class AnswerCreation {
  constructor(
    private readonly change: ChangeCollection,
    private readonly giveUp: GiveUpCreation,
    private readonly database: Database,
  ) {}

  /**
   * `start` calls the provider; null means no usable answer. Throws 422 `PROVIDER_REFUSED` or 503, with the payment FAILED; 409 when another
   * request took over the key and continues with the same id.
   */
  async execute<Dto>(
    caller: Caller,
    payment: Collection,
    start: () => Promise<Started<Dto> | null>,
  ): Promise<Dto> {
    try {
      const started = payment.status === 'PENDING' ? await start() : null;
      const answer = started && (await this.record(caller, payment, started));
      if (!answer)
        throw new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
      await passFaultPoint('payments.checkout_opened');
      return answer;
    } catch (error) {
      if (!isKeyTakenOver(error)) await this.end(payment, error);
      throw error;
    }
  }

  private record<Dto>(
    caller: Caller,
    key: PaymentKey,
    { decide, answer }: Started<Dto>,
  ): Promise<Dto | null> {
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, key, (row) => decide(row, tx.now));
      return after?.status === 'PENDING' ? caller.answer(tx, answer(after)) : null;
    });
  }

  /** Throws 409 when another request with the same key was answered meanwhile: then the payment was not refused. */
  private async end(payment: PaymentKey, error: unknown): Promise<void> {
    if (!(error instanceof ProviderRefused)) return void (await this.giveUp.execute(payment));
    if (!(await this.giveUp.execute(payment, error.failure_code)))
      throw new ApiError('IDEMPOTENCY_KEY_IN_USE');
  }
}
