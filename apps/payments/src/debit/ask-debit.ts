import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { findPayment } from '../payment/payment.repository.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { isResultOverdue } from './debit-policy.ts';
import { findDebit } from './debit.repository.ts';
import { openAttempt } from './debit.ts';
import type { AttemptRow } from './debit.tables.ts';
import { ResendAttempt } from './resend-attempt.ts';
import { SendAttempt } from './send-attempt.ts';

/** How long queries go on when the provider does not answer the last one. */
const GRACE_MS = 86_400_000;

/**
 * `debit.status`: queries the status of the open attempt on the schedule of DEB-15, in case a callback was lost. Sends the attempt
 * again when the provider did not receive it, and postpones it when its call was not permitted. After the debit FAILED, the attempts
 * that the provider may have received are queried for three days, and once more after that: money may come late. Where a provider
 * may process an attempt twice, a paid debit is queried once after the time for results, and once after the three days.
 */
@Injectable()
@HandlesDue('debit.status')
export class AskDebit {
  constructor(
    private readonly calls: DebitCalls,
    private readonly send: SendAttempt,
    private readonly resend: ResendAttempt,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const found = await this.find(tenant, Number(key));
    if (!found) return 'done';
    const open = openAttempt(found.debit);
    if (open) return this.open(found, open);
    const { status } = found.payment;
    if (status === 'PENDING' || status === 'SUBMITTED') return 'done';
    return status === 'FAILED' ? this.failed(found) : this.paid(found);
  }

  private async open(found: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    if (attempt.uncalled) return this.resend.putOff(found, attempt);
    this.warnIfOverdue(attempt, await this.database.now());
    if ((await this.ask(found, attempt)) !== 'not_found') return 'later';
    // An earlier attempt that was recorded as failed may have brought the money since: then no other is sent.
    const earlier = found.debit.attempts.filter(({ number }) => number < attempt.number);
    const isSilent = this.calls.mayDebitTwice(found.payment) && (await this.askAll(found, earlier));
    return isSilent ? 'later' : this.resend.execute(found, attempt);
  }

  private async failed(found: PaymentWithDebit): Promise<DueResult> {
    const now = (await this.database.now()).getTime();
    const { failed_at, created_at } = found.payment;
    const last = (failed_at ?? created_at).getTime() + this.config.watchFailedMs;
    const isSilent = await this.askAll(found);
    if (now < last) return 'later';
    return isSilent && now < last + GRACE_MS ? 'later' : 'done';
  }

  private async paid(found: PaymentWithDebit): Promise<DueResult> {
    const { payment } = found;
    if (!this.calls.mayDebitTwice(payment)) return 'done';
    const now = await this.database.now();
    const paidAt = (payment.debit_confirmed_at ?? payment.created_at).getTime();
    const { debits, watchFailedMs } = this.config;
    const first = new Date(paidAt + debits.resultWithinMs);
    if (now < first) return { again: first };
    const last = new Date(paidAt + watchFailedMs);
    const isSilent = await this.askAll(found);
    if (now < last) return isSilent ? 'later' : { again: last };
    return isSilent && now.getTime() < last.getTime() + GRACE_MS ? 'later' : 'done';
  }

  /** Queries the attempts that the provider may have received. Returns whether one query got no answer. */
  private async askAll(found: PaymentWithDebit, attempts = found.debit.attempts): Promise<boolean> {
    let isSilent = false;
    for (const attempt of attempts)
      if (attempt.never !== 'forbidden') isSilent = (await this.ask(found, attempt)) === 'silent' || isSilent;
    return isSilent;
  }

  /** Queries one attempt and applies the reported status. */
  async ask(
    { payment, debit }: PaymentWithDebit,
    attempt: AttemptRow,
  ): Promise<'reported' | 'waiting' | 'silent' | 'not_found'> {
    const answer = await this.calls.status(payment, debit, attempt.number);
    if (answer.kind === 'not_found') return answer.kind;
    if (answer.kind === 'unknown') return 'silent';
    const { reference } = attempt;
    const status =
      answer.kind === 'yes'
        ? answer.value
        : ({ status: 'failed', failure_code: answer.failure_code, message: answer.message } as const);
    await this.send.apply(payment, { reference, status });
    return status.status === 'waiting' ? 'waiting' : 'reported';
  }

  async find(tenant: string, id: number): Promise<PaymentWithDebit | null> {
    const payment = await findPayment(this.database, tenant, id);
    const debit = payment && (await findDebit(this.database, tenant, id));
    return payment && debit ? { payment, debit } : null;
  }

  private warnIfOverdue({ payment_id, tenant, reference, started_at }: AttemptRow, now: Date): void {
    if (!isResultOverdue(started_at, now, this.config.debits)) return;
    const about = { tenant, payment_id, reference };
    this.log.warn('the result of a debit is overdue; no other attempt is started until it is known', about);
  }
}
