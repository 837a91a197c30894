import type { HandedDebit } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { ChangeDebits } from './change-debits.ts';
import {
  changed,
  executionKind,
  failDebit,
  firstStatusCall,
  isLive,
  openAttempt,
  task,
  withdrawal,
  type DebitOfMandate,
  type DebitTask,
  type Outcome,
} from './debit.ts';
import type { AttemptRow, Debit } from './debit.table.ts';

/** A debit that has ended is watched for three days by default, and asked about once more (DEB-16). */
const WATCHED_MS = 4 * 86_400_000;

/**
 * Takes a debit over that payments of release 0.1 has begun (decision 0050): its notice, its plan and its attempts, and the work that is
 * due for it. Of a debit that has begun here, or was taken over before, only the account is taken.
 */
@Injectable()
export class AdoptDebit {
  constructor(private readonly change: ChangeDebits) {}

  async within(tx: Tx, tenant: string, handed: HandedDebit): Promise<void> {
    const key = { tenant, payment_id: handed.payment_id };
    await this.change.within(tx, { key, decide: (both, now) => adopted(both, handed, now) });
  }
}

/** No step of the machine: the state is the one that release 0.1 had reached. */
function adopted(both: DebitOfMandate, handed: HandedDebit, now: Date): Outcome {
  const { debit } = both;
  const isBegun = debit.state !== 'admitted' && isLive(debit);
  if (isBegun || debit.notice_begun_at !== null || debit.attempts.length > 0)
    return changed(debit, { mf_investment_account: handed.mf_investment_account });
  const { notice } = handed;
  const after: Debit = {
    ...debit,
    mf_investment_account: handed.mf_investment_account,
    debit_date: handed.debit_date,
    execute_at: new Date(handed.execute_at),
    stop_code: handed.stop_code,
    notice_number: notice.number,
    notice_begun_at: date(notice.begun_at),
    notice_called_at: date(notice.called_at),
    notified_at: date(notice.notified_at),
    notice_reference: notice.reference,
    notice_proof: notice.proof,
    notice_execute_at: date(notice.execute_at),
    notice_failed_at: date(notice.failed_at),
    notice_withdrawn_at: date(notice.withdrawn_at),
    attempts: handed.attempts.map((attempt) => attemptOf(debit, attempt)),
  };
  const paid = after.attempts.find(({ state }) => state === 'succeeded');
  // Release 0.1 took the money, and has published it.
  const ended_at = debit.ended_at ?? paid?.ended_at ?? null;
  const state = isLive(debit) ? liveState(after, handed, paid) : debit.state;
  const begun = { ...after, state, ended_at, check_at: state === 'admitted' ? debit.check_at : null };
  if (isLive(begun) && begun.stop_code !== null && !openAttempt(begun))
    return failDebit(begun, begun.stop_code, now);
  return { debit: begun, steps: [], due: dueOf({ ...both, debit: begun }, now) };
}

function liveState(debit: Debit, { is_planned }: HandedDebit, paid?: AttemptRow): Debit['state'] {
  if (paid) return 'succeeded';
  if (openAttempt(debit)) return 'attempting';
  if (is_planned || debit.attempts.length > 0) return 'planned';
  return debit.notice_begun_at === null ? 'admitted' : 'notifying';
}

function dueOf({ debit, mandate }: DebitOfMandate, now: Date): DebitTask[] {
  switch (debit.state) {
    case 'admitted':
      return [];
    case 'notifying':
      return [task(debit, 'debit.notify', now)];
    case 'planned':
      return [task(debit, executionKind(mandate.provider_name), debit.execute_at ?? now)];
    case 'attempting':
      return [firstStatusCall(debit, now)];
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'released':
      return [...withdrawal(debit, now), ...(isWatched(debit, now) ? [firstStatusCall(debit, now)] : [])];
    default:
      return debit.state satisfies never;
  }
}

function isWatched({ attempts, ended_at }: Debit, now: Date): boolean {
  return attempts.length > 0 && ended_at !== null && now.getTime() - ended_at.getTime() < WATCHED_MS;
}

function attemptOf({ payment_id, tenant }: Debit, attempt: HandedDebit['attempts'][number]): AttemptRow {
  return {
    ...attempt,
    payment_id,
    tenant,
    started_at: new Date(attempt.started_at),
    called_at: new Date(attempt.called_at),
    accepted_at: date(attempt.accepted_at),
    ended_at: date(attempt.ended_at),
    // Release 0.1 stored it with the captures only. A repeated report is sent to payments, which knows them.
    provider_reference: null,
  };
}

function date(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
