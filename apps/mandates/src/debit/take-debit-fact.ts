import type { CollectedMoney, DebitFact } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { reportJudged } from '@fundrail/policies';
import type { NoticeStatus, ProviderPaymentStatus } from '@fundrail/providers';
import { amended, mandateDebitMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { MandatesConfig } from '../config.ts';
import { applyAttemptReport } from './attempt-report.ts';
import { ChangeDebits } from './change-debits.ts';
import { contradicted, isLive, stopped, task, unchanged } from './debit.ts';
import type { DebitOfMandate, Outcome, Timing } from './debit.ts';
import type { Debit } from './debit.table.ts';
import { beginDebit, noticeReported } from './notice.ts';

type ReportedAttempt = NonNullable<DebitFact['attempt']>;
type ReportedNotice = NonNullable<DebitFact['notice']>;

/** Applies what payments learned about a debit, in the transaction of the event. */
@Injectable()
export class TakeDebitFact {
  constructor(
    private readonly change: ChangeDebits,
    private readonly config: MandatesConfig,
  ) {}

  async within(tx: Tx, tenant: string, fact: DebitFact): Promise<void> {
    const isRefused = { now: false };
    await this.change.within(tx, {
      key: { tenant, payment_id: fact.payment_id },
      decide: (both, now) => {
        const outcome = decide(both, fact, { rules: this.config.debits(now), now });
        isRefused.now = isLive(both.debit) && both.debit.opted_out_at !== outcome.debit.opted_out_at;
        return outcome;
      },
    });
    if (isRefused.now) reportJudged('debit_opt_out', 'refused');
  }
}

function decide(both: DebitOfMandate, fact: DebitFact, timing: Timing): Outcome {
  const { debit, mandate } = both;
  if (fact.order !== null && !isLive(debit)) return reportedAgain(debit);
  if (fact.order === 'ready') return beginDebit(both, timing);
  if (fact.order === 'ended') return stopped(debit, 'payment_failed', timing.now);
  if (fact.order === 'waiting') return unchanged(debit);
  if (fact.provider_name === null)
    return { ...unchanged(debit), due: [task(debit, 'debit.status', timing.now)] };
  if (fact.provider_name !== mandate.provider_name) return contradicted(debit, 'told_by_another_provider');
  if (fact.notice) return noticeReported(both, fact.notice.number, noticeOf(fact.notice), timing);
  if (!fact.attempt) return unchanged(debit);
  const { reference } = fact.attempt;
  return applyAttemptReport(both, { reference, status: statusOf(fact.attempt) }, timing);
}

/** Payments has the debit as live: it has ended before its payment was stored, so that its event found none. */
function reportedAgain(debit: Debit): Outcome {
  const type = debit.state === 'cancelled' ? 'mandate_debit.cancelled' : 'mandate_debit.failed';
  if (debit.state !== 'failed' && debit.state !== 'cancelled') return unchanged(debit);
  const step = amended(mandateDebitMachine, debit, 'report_again', { events: [type] });
  return { debit: step.row, steps: [step], due: [] };
}

function noticeOf({ status, proof, at, message }: ReportedNotice): NoticeStatus {
  if (status === 'opted_out') return { status };
  if (status === 'failed') return { status, message: message ?? '' };
  return { status, proof: proof ?? '', at: at === null ? null : new Date(at) };
}

function statusOf({ status, failure_code, message, collected }: ReportedAttempt): ProviderPaymentStatus {
  if (status === 'captured' && collected) return moneyOf(collected);
  if (status !== 'failed') return { status: 'waiting' };
  return { status, failure_code: failure_code ?? 'payment_failed', message: message ?? '' };
}

function moneyOf(collected: CollectedMoney): ProviderPaymentStatus {
  return { status: 'captured', ...collected };
}
