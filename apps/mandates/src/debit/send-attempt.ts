import type { PaymentFailureCode } from '@fundrail/contracts';
import { reportJudged } from '@fundrail/policies';
import { isNotDone, type Answer, type ProviderDebit } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { applyAttemptReport } from './attempt-report.ts';
import { attemptNotReceived, giveUpAttempt, putOffAttempt } from './attempt.ts';
import { ChangeDebits } from './change-debits.ts';
import { DebitCalls } from './debit-calls.ts';
import { isUnderWay, openAttempt, type DebitOfMandate, type Outcome } from './debit.ts';
import { mayBeCalled } from './debit.repository.ts';
import type { AttemptRow } from './debit.table.ts';
import { SendingPace } from './sending/sending-pace.ts';

/** The pause before an attempt is tried again when the provider's pace had no place. */
const NO_PLACE_MS = 5_000;

/** Sends an attempt with a committed intent, and applies the answer. Outcomes share transactions (decision 0006). */
@Injectable()
export class SendAttempt {
  constructor(
    private readonly change: ChangeDebits,
    private readonly calls: DebitCalls,
    private readonly pace: SendingPace,
    private readonly database: Database,
    private readonly config: MandatesConfig,
  ) {}

  /** Without a usable answer the attempt stays open, and `debit.status` queries it. */
  async execute(
    both: DebitOfMandate,
    attempt: AttemptRow,
    {
      request,
      traceparent = null,
    }: { readonly request?: ProviderDebit; readonly traceparent?: string | null } = {},
  ): Promise<void> {
    if (both.mandate.mandate_type === 'UPI') reportJudged('debit_opt_out', 'allowed');
    const answer = await this.calls.execute(
      both,
      request ?? (await this.calls.request(both, attempt.number)),
    );
    await passFaultPoint('mandates.attempt_answered');
    await this.apply(both, attempt, answer, traceparent);
    await passFaultPoint('mandates.attempt_applied');
  }

  /**
   * Sends an open attempt again that the provider does not have, in a window, if it is still allowed; otherwise ends it. Only one call
   * at a time over all replicas, because not every provider recognises a repeated call.
   */
  async again({ mandate }: DebitOfMandate, attempt: AttemptRow): Promise<DueResult> {
    const now = await this.database.now();
    if (isUnderWay(attempt, now)) return 'later';
    // Before the intent, which keeps every other call away for a minute.
    if (!(await this.pace.turn(mandate.provider_name)))
      return { again: new Date(now.getTime() + NO_PLACE_MS) };
    const wanted: { at: Date | null } = { at: null };
    const after = await this.change.execute({
      key: attempt,
      decide: (both, at) => {
        const decided = attemptNotReceived(both, attempt, { rules: this.config.debits(at), now: at });
        wanted.at = decided.at;
        return decided.outcome;
      },
    });
    const called = after && openAttempt(after.debit);
    if (!after || !called || wanted.at === null) return 'later';
    if (!isUnderWay(called, now)) return { again: wanted.at };
    const request = await this.calls.request(after, called.number);
    const [isAllowed] = await mayBeCalled(this.database, [called]);
    if (isAllowed) await this.execute(after, called, { request });
    else await this.endStopped(called);
    return 'later';
  }

  /** Stopped between the intent and the call, which is not made. An earlier call may have arrived, so its status is still queried. */
  private async endStopped(attempt: AttemptRow): Promise<void> {
    await this.change.execute({
      key: attempt,
      decide: ({ debit }, now) => giveUpAttempt(debit, attempt, debit.stop_code ?? 'payment_failed', now),
    });
  }

  private async apply(
    both: DebitOfMandate,
    attempt: AttemptRow,
    answer: Answer<null, PaymentFailureCode>,
    traceparent: string | null,
  ): Promise<void> {
    const { reference } = attempt;
    const record = (decide: (row: DebitOfMandate, now: Date) => Outcome) =>
      this.change.execute({ key: attempt, decide, traceparent });
    const report = (status: Parameters<typeof applyAttemptReport>[1]['status']) =>
      record((row, now) =>
        applyAttemptReport(row, { reference, status }, { rules: this.config.debits(now), now }),
      );
    switch (answer.kind) {
      case 'yes':
        await report({ status: 'waiting' });
        break;
      case 'no':
        await report({ status: 'failed', failure_code: answer.failure_code, message: answer.message });
        break;
      case 'not_found':
        // The provider answers that it does not know the mandate. That may be a mistake, so the status of the mandate decides.
        if (await this.calls.isMandateGone(both))
          await record(({ debit }, now) => giveUpAttempt(debit, attempt, 'mandate_cancelled', now));
        break;
      case 'unknown':
        if (isNotDone(answer)) await this.putOff(attempt, answer.retry_after_ms, traceparent);
        break;
      default:
        return answer satisfies never;
    }
  }

  /** The provider certainly did nothing under this intent. The next attempt has its number, `ms` milliseconds from now at the earliest. */
  async putOff(attempt: AttemptRow, ms: number, traceparent: string | null): Promise<void> {
    const from = new Date((await this.database.now()).getTime() + ms);
    await this.change.execute({
      key: attempt,
      decide: (row, now) => putOffAttempt(row, attempt, { rules: this.config.debits(now), now }, from),
      traceparent,
    });
  }
}
