import { ApiError, type DebitAsked } from '@fundrail/contracts';
import {
  isUpiQuestionTaken,
  mayCancellationAsk,
  upiQuestionAllowedFrom,
  type UpiTransaction,
} from '@fundrail/policies';
import type { Tx } from '@fundrail/persistence';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  askedNow,
  askNow,
  countQuestion,
  HandlesDue,
  type DueResult,
  type DueWork,
} from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { applyAttemptReport } from './attempt-report.ts';
import { ChangeDebits } from './change-debits.ts';
import { DebitCalls } from './debit-calls.ts';
import { isResultOverdue } from './debit-policy.ts';
import { findDebit, lockDebits, type DebitKey } from './debit.repository.ts';
import { isLive, nextQuestion, openAttempt, upiAttemptOf, type DebitOfMandate } from './debit.ts';
import type { AttemptRow } from './debit.table.ts';
import { SendAttempt } from './send-attempt.ts';

/** How long queries go on when the provider does not answer the last one. */
const GRACE_MS = 86_400_000;

/**
 * `debit.status`: queries the status of the open attempt on the schedule of DEB-15, in case a callback was lost. Sends the attempt
 * again when the provider did not receive it. After the debit has ended without money, its attempts are queried for three days, and once
 * more after that: money may come late. Where a provider may process an attempt twice, a paid debit is queried once after the time for
 * results, and once after the three days.
 * Further questions are asked at once: those of operators, and that of a client's cancellation.
 */
@Injectable()
@HandlesDue('debit.status')
export class AskDebit {
  constructor(
    private readonly calls: DebitCalls,
    private readonly change: ChangeDebits,
    private readonly attempts: SendAttempt,
    private readonly database: Database,
    private readonly config: MandatesConfig,
    private readonly log: Log,
  ) {}

  async handle({ tenant, key, attempts: asked, due_at: at }: DueWork): Promise<DueResult> {
    const payment_id = Number(key);
    const found = await findDebit(this.database, { tenant, payment_id });
    if (!found) return 'done';
    const early = await askedNow(this.database, { tenant, id: payment_id });
    const { firstStatusSeconds: firstSeconds } = this.config.debits(at);
    const about = { firstSeconds, early };
    const byUpi = upiAttemptOf(found.debit, about);
    const isTaken = byUpi !== null && isUpiQuestionTaken(byUpi, { at, position: asked });
    const result = isTaken ? 'later' : await this.askAbout(found);
    return result === 'done' ? result : this.next(found, { ...about, asked }, result);
  }

  /** An attempt is sent again after a question only, so by UPI that waits for the next question too. */
  private async next(
    { debit }: DebitOfMandate,
    about: Pick<UpiTransaction, 'firstSeconds' | 'early'> & { readonly asked: number },
    result: Exclude<DueResult, 'done'>,
  ): Promise<DueResult> {
    const question = nextQuestion(debit, about, await this.database.now());
    if (!question) return result;
    const { at, position: attempts } = question;
    return typeof result !== 'string' && result.again > at ? result : { again: at, attempts };
  }

  private async askAbout(found: DebitOfMandate): Promise<DueResult> {
    const open = openAttempt(found.debit);
    if (open) return this.open(found, open);
    if (isLive(found.debit)) return 'done';
    return found.debit.state === 'succeeded' ? this.paid(found) : this.failed(found);
  }

  private async open(found: DebitOfMandate, attempt: AttemptRow): Promise<DueResult> {
    this.warnIfOverdue(attempt, await this.database.now());
    if ((await this.ask(found, attempt)) !== 'not_found') return 'later';
    // An earlier attempt that was recorded as failed may have brought the money since: then no other is sent.
    const earlier = found.debit.attempts.filter(({ number }) => number < attempt.number);
    const isSilent = this.calls.mayDebitTwice(found) && (await this.askAll(found, earlier));
    return isSilent ? 'later' : this.attempts.again(found, attempt);
  }

  private async failed(found: DebitOfMandate): Promise<DueResult> {
    const now = (await this.database.now()).getTime();
    const last = endOf(found).getTime() + this.config.watchFailedMs;
    const isSilent = await this.askAll(found);
    if (now < last) return 'later';
    return isSilent && now < last + GRACE_MS ? 'later' : 'done';
  }

  private async paid(found: DebitOfMandate): Promise<DueResult> {
    if (!this.calls.mayDebitTwice(found)) return 'done';
    const now = await this.database.now();
    const paidAt = endOf(found).getTime();
    const { debits, watchFailedMs } = this.config;
    const first = new Date(paidAt + debits(now).resultWithinMs);
    if (now < first) return { again: first };
    const last = new Date(paidAt + watchFailedMs);
    const isSilent = await this.askAll(found);
    if (now < last) return isSilent ? 'later' : { again: last };
    return isSilent && now.getTime() < last.getTime() + GRACE_MS ? 'later' : 'done';
  }

  /** Queries these attempts. Returns whether one query got no answer. */
  private async askAll(found: DebitOfMandate, attempts = found.debit.attempts): Promise<boolean> {
    let isSilent = false;
    for (const attempt of attempts) isSilent = (await this.ask(found, attempt)) === 'silent' || isSilent;
    return isSilent;
  }

  /** Queries one attempt and applies the reported status. */
  async ask(found: DebitOfMandate, attempt: AttemptRow): Promise<'reported' | 'silent' | 'not_found'> {
    const answer = await this.calls.status(found, attempt.number);
    if (answer.kind === 'not_found') return answer.kind;
    if (answer.kind === 'unknown') return 'silent';
    const { reference } = attempt;
    const status =
      answer.kind === 'yes'
        ? answer.value
        : ({ status: 'failed', failure_code: answer.failure_code, message: answer.message } as const);
    await this.change.execute({
      key: found.debit,
      decide: (both, now) =>
        applyAttemptReport(both, { reference, status }, { rules: this.config.debits(now), now }),
    });
    return 'reported';
  }

  /** For an operator: the question is due at once, and the worker makes the call. The time to wait is part of the answer, because a call between services does not pass on an error's Retry-After. */
  async forOperator(key: DebitKey): Promise<DebitAsked> {
    try {
      const asked = await this.database.transaction((tx) => this.bringForward(tx, key));
      return { asked, retry_after_s: null };
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfter === undefined) throw error;
      return { asked: [], retry_after_s: error.retryAfter };
    }
  }

  /**
   * Counts a question that a client's cancellation is about to ask about the open attempt. False when `upi_status_enquiry` allows none:
   * then the schedule asks.
   */
  mayAskAtOnce(key: DebitKey): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { tenant, payment_id: id } = key;
      const debit = (await lockDebits(tx, [key])).get(id)?.debit;
      const { firstStatusSeconds: firstSeconds } = this.config.debits(tx.now);
      const early = await askedNow(tx, { tenant, id });
      const byUpi = debit ? upiAttemptOf(debit, { firstSeconds, early }) : null;
      if (byUpi === null) return true;
      if (!mayCancellationAsk(byUpi, tx.now)) return false;
      await countQuestion(tx, { tenant, id });
      return true;
    });
  }

  private async bringForward(tx: Tx, key: DebitKey): Promise<string[]> {
    const { tenant, payment_id } = key;
    const debit = (await lockDebits(tx, [key])).get(payment_id)?.debit;
    if (!debit || !openAttempt(debit)) return [];
    const work = { kind: 'debit.status', key: String(payment_id) };
    const { firstStatusSeconds: firstSeconds } = this.config.debits(tx.now);
    return askNow(tx, {
      payment: { tenant, id: payment_id },
      works: [work],
      otherwise: work,
      allowedFrom: (early) => {
        const byUpi = upiAttemptOf(debit, { firstSeconds, early });
        return byUpi ? upiQuestionAllowedFrom(byUpi, tx.now) : tx.now;
      },
    });
  }

  private warnIfOverdue({ payment_id, tenant, reference, started_at }: AttemptRow, now: Date): void {
    if (!isResultOverdue(started_at, now, this.config.debits(now))) return;
    const about = { tenant, payment_id, reference };
    this.log.warn('the result of a debit is overdue; no other attempt is started until it is known', about);
  }
}

function endOf({ debit: { ended_at, admitted_at } }: DebitOfMandate): Date {
  return ended_at ?? admitted_at;
}
