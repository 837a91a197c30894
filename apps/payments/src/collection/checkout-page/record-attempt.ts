import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { isNotDone, type Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import type { PaymentKey } from '../../payment/change-payment.ts';
import { ChangeCollection } from '../change-collection.ts';
import { firstStatusCall, mayBePaid, still, type Collection } from '../collection.ts';
import { addAttempt, answerAttempt, attemptsOf, layAttemptsAside } from './attempt.repository.ts';
import type { Way } from './attempt.table.ts';
import { maskedVpa, MOST_ATTEMPTS } from './attempt.ts';

/** What the investor chose. */
export type Choice =
  | { readonly way: 'intent' }
  | { readonly way: 'collect'; readonly vpa: string }
  | { readonly way: 'netbanking'; readonly bank: string };

/** `refused`: the attempt has the code; `silent`: no usable answer of the provider; `many`, `ended`: no attempt was started. */
export type BeginResult = 'started' | 'refused' | 'silent' | 'many' | 'ended';
/** An attempt by its payment and its number. */
interface AttemptKey extends PaymentKey {
  readonly number: number;
  readonly way: Way;
}
/** The provider's answer, with the address that the investor is sent to; null when there is none. */
export type Started = Answer<{ readonly address: string | null }, PaymentFailureCode>;

/** Stores attempts: first before the provider is called, then with its answer. */
@Injectable()
export class RecordAttempt {
  constructor(
    private readonly change: ChangeCollection,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  /** Stores a new attempt and schedules the first status query. */
  async create(payment: PaymentKey, choice: Choice): Promise<AttemptKey | 'many' | 'ended'> {
    const created: { number: number | 'many' | 'ended' } = { number: 'ended' };
    await this.change.execute(payment, async (row, tx) => {
      created.number = await insertAttempt(row, choice, tx);
      const queries = typeof created.number === 'number' && mayBePaid(row);
      const { firstStatusSeconds: firstSeconds } = this.config.times;
      const byUpi = choice.way === 'netbanking' ? null : { start: tx.now, firstSeconds };
      return { ...still(row), due: queries ? [firstStatusCall(row, tx.now, byUpi)] : [] };
    });
    const { tenant, id } = payment;
    const { number } = created;
    return typeof number === 'number' ? { tenant, id, number, way: choice.way } : number;
  }

  async conclude(attempt: AttemptKey, answer: Started): Promise<BeginResult> {
    if (answer.kind === 'yes') {
      await answerAttempt(this.database, attempt, answer.value);
      return 'started';
    }
    const { tenant, id: payment_id, number, way } = attempt;
    const why = answer.kind === 'unknown' ? `${answer.why}: ${answer.detail}` : answer.kind;
    this.log.warn('the provider did not start the payment', { tenant, payment_id, number, way, why });
    if (answer.kind !== 'no') return this.silent(attempt, way === 'collect' && !isNotDone(answer));
    await answerAttempt(this.database, attempt, { failure_code: answer.failure_code });
    return 'refused';
  }

  /** Without an answer, a collect request may still have reached the investor. The other ways cannot be paid, because the investor was sent nowhere. */
  async silent(attempt: AttemptKey, mayBeSent: boolean): Promise<BeginResult> {
    if (mayBeSent) return 'started';
    await layAttemptsAside(this.database, attempt, await this.database.now());
    return 'silent';
  }
}

/** Runs under the payment's lock, so that two attempts do not get the same number. */
async function insertAttempt(
  payment: Collection,
  choice: Choice,
  tx: Tx,
): Promise<number | 'many' | 'ended'> {
  const { request } = payment;
  if (payment.status !== 'PENDING' || request?.ending !== null || tx.now >= request.expires_at)
    return 'ended';
  const { length } = await attemptsOf(tx, payment);
  if (length >= MOST_ATTEMPTS) return 'many';
  await addAttempt(tx, {
    tenant: payment.tenant,
    payment_id: payment.id,
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
