import type { PaymentFailureCode } from '@fundrail/contracts';
import { isNotDone, type Answer, type ProviderDebit } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { applyAttemptReport } from './attempt-report.ts';
import { giveUpAttempt, putOffAttempt } from './attempt.ts';
import { ChangeDebits } from './change-debits.ts';
import { DebitCalls } from './debit-calls.ts';
import type { DebitOfMandate, Outcome } from './debit.ts';
import type { AttemptRow } from './debit.table.ts';

/** Sends an attempt with a committed intent, and applies the answer. Outcomes share transactions (decision 0006). */
@Injectable()
export class SendAttempt {
  constructor(
    private readonly change: ChangeDebits,
    private readonly calls: DebitCalls,
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
    const answer = await this.calls.execute(
      both,
      request ?? (await this.calls.request(both, attempt.number)),
    );
    await passFaultPoint('mandates.attempt_answered');
    await this.apply(both, attempt, answer, traceparent);
    await passFaultPoint('mandates.attempt_applied');
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
        applyAttemptReport(row, { reference, status }, { rules: this.config.debits, now }),
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
      decide: (row, now) => putOffAttempt(row, attempt, { rules: this.config.debits, now }, from),
      traceparent,
    });
  }
}
