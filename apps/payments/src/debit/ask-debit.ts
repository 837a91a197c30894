import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { findPayment } from '../payment/payment.repository.ts';
import { executableAt } from './attempt.ts';
import type { PaymentWithDebit } from './change-debit.ts';
import { DebitCalls } from './debit-calls.ts';
import { isResultOverdue } from './debit-policy.ts';
import { findDebit } from './debit.repository.ts';
import { openAttempt } from './debit.ts';
import type { AttemptRow } from './debit.ts';
import { SendAttempt } from './send-attempt.ts';

/**
 * How long a call may be under way: mandates and identity first, then two calls at the provider of 5 s each, with room. Who does
 * not know an attempt before may still hear of it.
 */
const UNDER_WAY_MS = 60_000;

/**
 * `debit.status`: asks how the open attempt stands, on the schedule of contract §2, in case a callback was lost, and sends it
 * again when it never arrived. After the debit FAILED its last attempt is asked about for three days: money may come late.
 */
@Injectable()
@HandlesDue('debit.status')
export class AskDebit implements DueHandler {
  readonly kind = 'debit.status';

  constructor(
    private readonly calls: DebitCalls,
    private readonly send: SendAttempt,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const found = await this.find(tenant, Number(key));
    const attempt = found && (await this.attemptOf(found));
    if (!found || !attempt) return 'done';
    const asked = await this.ask(found, attempt);
    if (asked === 'not_found' && attempt.ended_at === null) return this.sendAgain(found, attempt);
    return 'later';
  }

  /** What asking came to; what is told is applied. */
  async ask(
    { payment, debit }: PaymentWithDebit,
    attempt: AttemptRow,
  ): Promise<'told' | 'waiting' | 'silent' | 'not_found'> {
    const answer = await this.calls.status(payment, debit, attempt.number);
    if (answer.kind === 'not_found') return answer.kind;
    if (answer.kind === 'unknown') return 'silent';
    const { reference } = attempt;
    const said =
      answer.kind === 'yes'
        ? answer.value
        : ({ status: 'failed', failure_code: answer.failure_code, message: answer.message } as const);
    await this.send.said(payment, { reference, said });
    return said.status === 'waiting' ? 'waiting' : 'told';
  }

  async find(tenant: string, id: number): Promise<PaymentWithDebit | null> {
    const payment = await findPayment(this.database, tenant, id);
    const debit = payment && (await findDebit(this.database, tenant, id));
    return payment && debit ? { payment, debit } : null;
  }

  private async attemptOf({ payment, debit }: PaymentWithDebit): Promise<AttemptRow | null> {
    const now = await this.database.now();
    const open = openAttempt(debit);
    if (open) {
      this.tellOverdue(open, now);
      return open;
    }
    if (payment.status !== 'FAILED') return null;
    const until = (payment.failed_at ?? payment.created_at).getTime() + this.config.watchFailedMs;
    return now.getTime() <= until ? (debit.attempts.at(-1) ?? null) : null;
  }

  private tellOverdue({ payment_id, tenant, reference, started_at }: AttemptRow, now: Date): void {
    if (!isResultOverdue(started_at, now, this.config.debits)) return;
    const about = { tenant, payment_id, reference };
    this.log.warn('the result of a debit is overdue; no other attempt is made until it is known', about);
  }

  /** It never arrived: the same attempt, in a window like any other, if it is still wanted. */
  private async sendAgain(found: PaymentWithDebit, attempt: AttemptRow): Promise<DueResult> {
    const now = await this.database.now();
    if (now.getTime() - attempt.started_at.getTime() < UNDER_WAY_MS) return 'later';
    const wanted = await this.send.unheard(found.payment, attempt);
    if (!wanted) return 'later';
    const at = executableAt(wanted.payment, wanted.debit, this.config.debits, now) ?? now;
    if (at > now) return { again: at };
    await this.send.execute(wanted, attempt, true);
    return 'later';
  }
}
