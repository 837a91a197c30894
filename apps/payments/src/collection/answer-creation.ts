import { ApiError, type PaymentFailureCode } from '@fundrail/contracts';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database, isKeyTakenOver } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { Claims } from '../payment/claims.ts';
import { failPayment, isDead } from '../payment/payment.ts';
import { ChangeCollection } from './change-collection.ts';
import { decided, isUnanswered, still, type Collection, type Decide } from './collection.ts';

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
    private readonly claims: Claims,
    private readonly database: Database,
    private readonly log: Log,
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

  /**
   * Ends a payment whose creation was never answered, or was refused by the provider. The client did not receive a way to pay, so the
   * payment fails with `pg_server_error` or the refusal's code, and its orders are released immediately (PAY-13, PAY-14). The row's
   * lock ensures that a creation is either answered or given up, never both. Changes nothing when the creation was answered. Returns
   * whether the payment is dead.
   */
  async giveUp(key: PaymentKey, code: PaymentFailureCode = 'pg_server_error'): Promise<boolean> {
    const { tenant, id } = key;
    const after = await this.change.execute(key, (row, tx) =>
      isUnanswered(row) ? decided(row, failPayment(row, 'fail', code, tx.now)) : still(row),
    );
    if (!after || !isDead(after.status)) return false;
    try {
      await this.claims.release(after);
    } catch (error) {
      this.log.error('the claim was not released; the event of the failure will release it', error, {
        tenant,
        payment_id: id,
      });
    }
    return true;
  }

  /** What the provider answered to the call that starts an authorisation; null without a usable answer. Throws `ProviderRefused`. */
  async read<T>(
    { tenant, id: payment_id }: PaymentKey,
    answer: Answer<T, PaymentFailureCode>,
  ): Promise<T | null> {
    await passFaultPoint('payments.checkout_answered');
    if (answer.kind === 'yes') return answer.value;
    this.log.warn('the provider did not start the authorisation', { tenant, payment_id, why: answer.kind });
    if (answer.kind === 'no') throw new ProviderRefused(answer);
    return null;
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
    if (!(error instanceof ProviderRefused)) return void (await this.giveUp(payment));
    if (!(await this.giveUp(payment, error.failure_code))) throw new ApiError('IDEMPOTENCY_KEY_IN_USE');
  }
}

/** A provider's refusal of a creation: our failure code and the provider's message. */
export interface Refusal {
  readonly failure_code: PaymentFailureCode;
  readonly message: string;
}

const MAX_REASON_LENGTH = 200;
const NO_REASON = 'The payment provider gave no reason';

/**
 * 422 `PROVIDER_REFUSED`: the provider would refuse the same request again, so the client must change it (ERR-8). It contains the
 * failure code, because the payment ends with that code in the same request.
 */
export class ProviderRefused extends ApiError {
  readonly failure_code: PaymentFailureCode;

  constructor({ failure_code, message }: Refusal) {
    super('PROVIDER_REFUSED', `The payment provider refused the request: ${shownReason(message)}`);
    this.failure_code = failure_code;
  }
}

/**
 * A provider's message as clients see it: one line of at most 200 characters, without anything that identifies a person or an object:
 * addresses (e-mail, UPI ID, URL), numbers of five digits and more, and ids such as `order_MkQ…`.
 */
export function shownReason(message: string): string {
  const line = message
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/\S+@\S*|\bhttps?:\/\/\S+/giu, '…')
    .replace(/\b[a-z]+_[A-Za-z0-9]{6,}\b/gu, '…')
    .replace(/\d(?:[ -]?\d){4,}/gu, '…')
    .replace(/[<>]/gu, '')
    .trim();
  if (!/[\p{L}]/u.test(line)) return NO_REASON;
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line;
}
