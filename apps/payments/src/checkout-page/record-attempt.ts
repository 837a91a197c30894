import type { PaymentFailureCode } from '@fundrail/contracts';
import { isNotDone } from '@fundrail/providers';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import type { Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from '../payment/change-payment.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { expiryOf, firstQuestion, unchanged } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { addAttempt, answerAttempt, attemptsOf, layAttemptsAside } from './attempt.repository.ts';
import { maskedVpa, MOST_ATTEMPTS, type Way } from './attempt.ts';

/** What the investor chose. */
export type Choice =
  | { readonly way: 'intent' }
  | { readonly way: 'collect'; readonly vpa: string }
  | { readonly way: 'netbanking'; readonly bank: string };

/** `refused` stands in the attempt; `silent`: the provider gave no answer that counts; `many`, `ended`: nothing was begun. */
export type Begun = 'begun' | 'refused' | 'silent' | 'many' | 'ended';
/** An attempt by its payment and its number. */
export interface AttemptKey extends PaymentKey {
  readonly number: number;
  readonly way: Way;
}
/** Where the investor goes; null where there is nowhere to go. */
export type Started = Answer<{ readonly address: string | null }, PaymentFailureCode>;

/** Writes attempts down: the intent before the provider is called, and what it answered. */
@Injectable()
export class RecordAttempt {
  constructor(
    private readonly change: ChangePayment,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** The attempt, once it is written down; the provider is asked soon after how it ended. */
  async intend(payment: Payment, choice: Choice): Promise<AttemptKey | 'many' | 'ended'> {
    const drawn: { number: number | 'many' | 'ended' } = { number: 'ended' };
    await this.change.execute(payment, async (row, tx) => {
      drawn.number = await numbered(row, choice, tx);
      const isAsked = row.checkout_order_id !== null || row.payment_type === 'AUTH_TRANSACTION';
      const goesOn = typeof drawn.number === 'number' && isAsked;
      return { ...unchanged(row), due: goesOn ? [firstQuestion(row, tx.now)] : [] };
    });
    const { tenant, id } = payment;
    const { number } = drawn;
    return typeof number === 'number' ? { tenant, id, number, way: choice.way } : number;
  }

  async conclude(attempt: AttemptKey, answer: Started): Promise<Begun> {
    if (answer.kind === 'yes') {
      await answerAttempt(this.database, attempt, answer.value);
      return 'begun';
    }
    const { tenant, id: payment_id, number, way } = attempt;
    const why = answer.kind === 'unknown' ? `${answer.why}: ${answer.detail}` : answer.kind;
    this.log.warn('the provider began no payment', { tenant, payment_id, number, way, why });
    if (answer.kind !== 'no') return this.silent(attempt, way === 'collect' && !isNotDone(answer));
    await answerAttempt(this.database, attempt, { failure_code: answer.failure_code });
    return 'refused';
  }

  /** Without an answer a collect request may be out, unless it was never sent; of the other ways nothing can come, for nobody was told where to go. */
  async silent(attempt: AttemptKey, mayBeOut: boolean): Promise<Begun> {
    if (mayBeOut) return 'begun';
    await layAttemptsAside(this.database, attempt, await this.database.now());
    return 'silent';
  }
}

/** Decided under the payment's lock, so that two attempts do not get one number. */
async function numbered(row: Payment, choice: Choice, tx: Tx): Promise<number | 'many' | 'ended'> {
  if (row.status !== 'PENDING' || row.ending !== null || tx.now >= expiryOf(row)) return 'ended';
  const { length } = await attemptsOf(tx, row);
  if (length >= MOST_ATTEMPTS) return 'many';
  await addAttempt(tx, {
    tenant: row.tenant,
    payment_id: row.id,
    number: length + 1,
    way: choice.way,
    shown: shownOf(choice),
    started_at: tx.now,
  });
  return length + 1;
}

function shownOf(choice: Choice): string | null {
  if (choice.way === 'collect') return maskedVpa(choice.vpa);
  return choice.way === 'netbanking' ? choice.bank : null;
}
