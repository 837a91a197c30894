import { found, istTimestamp, PROVIDER_NAMES, type TracedDebit } from '@fundrail/contracts';
import { attemptReference, noticeReference } from '@fundrail/providers';
import { callProgress, callsOf, type RecordedCallRow } from '@fundrail/service-kit/calls';
import { Database } from '@fundrail/service-kit/db';
import { plannedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { findDebit, type DebitKey } from './debit.repository.ts';
import { executionKind, openAttempt } from './debit.ts';
import type { AttemptRow, Debit } from './debit.table.ts';

const NOTICE_WORK = ['debit.notify', 'debit.withdraw'];
const EXECUTION_WORK: readonly string[] = PROVIDER_NAMES.map(executionKind);
const RESULT_WORK = ['debit.status'];

/** When work of a debit is due next, and what its calls have answered. */
export interface DebitProgress {
  readonly calls: ReadonlyMap<string, RecordedCallRow>;
  readonly nextTry: (kinds: readonly string[]) => Date | null;
}

/** Collects the stored facts about a debit for an operator. It calls no provider and changes nothing. */
@Injectable()
export class TraceDebit {
  constructor(private readonly database: Database) {}

  /** Throws 404 when this tenant has no such debit. */
  async execute(key: DebitKey): Promise<TracedDebit> {
    const { debit } = found(await findDebit(this.database, key));
    const { tenant, payment_id: id } = key;
    const kinds = [...NOTICE_WORK, ...EXECUTION_WORK, ...RESULT_WORK];
    const planned = await plannedDue(this.database, tenant, kinds, [String(id)]);
    return toTrace(debit, {
      calls: await callsOf(this.database, { tenant, id }),
      nextTry: (wanted) => {
        const times = planned.filter(({ kind }) => wanted.includes(kind)).map(({ due_at }) => due_at);
        return times.reduce<Date | null>((least, at) => (least && least <= at ? least : at), null);
      },
    });
  }
}

/** The debit as operators see it. Times in Indian time. */
export function toTrace(debit: Debit, progress: DebitProgress): TracedDebit {
  const { payment_id, notice_number } = debit;
  const notice = noticeReference(payment_id, notice_number);
  return {
    execute_at: istTimestamp(debit.execute_at ?? debit.admitted_at),
    notice: {
      ...callProgress(progress.calls, notice, progress.nextTry(NOTICE_WORK)),
      notified_at: istTimestamp(debit.notified_at),
      failed_at: istTimestamp(debit.notice_failed_at),
      withdrawn_at: istTimestamp(debit.notice_withdrawn_at),
      opted_out_at: istTimestamp(debit.opted_out_at),
    },
    executions: [
      ...debit.attempts.map((attempt) => executed(debit, attempt, progress)),
      ...planned(debit, progress),
    ],
  };
}

type Execution = TracedDebit['executions'][number];

function executed(debit: Debit, attempt: AttemptRow, { calls, nextTry }: DebitProgress): Execution {
  const { reference, number, failure_code } = attempt;
  const open = openAttempt(debit);
  // While one is open only that one is queried; after the end all of them.
  const isQueried = open === null || open === attempt;
  return {
    ...callProgress(calls, reference, isQueried ? nextTry(RESULT_WORK) : null),
    number,
    started_at: istTimestamp(attempt.started_at),
    accepted_at: istTimestamp(attempt.accepted_at),
    ended_at: istTimestamp(attempt.ended_at),
    failure_code,
    amc_order_ids: [debit.old_id],
  };
}

/** The next planned attempt. If it was postponed before, its calls are recorded. */
function planned({ payment_id, attempts, old_id }: Debit, { calls, nextTry }: DebitProgress): Execution[] {
  const next = nextTry(EXECUTION_WORK);
  if (next === null) return [];
  const number = attempts.length + 1;
  const nothingYet = { started_at: null, accepted_at: null, ended_at: null, failure_code: null };
  return [
    {
      ...callProgress(calls, attemptReference(payment_id, number), next),
      number,
      ...nothingYet,
      amc_order_ids: [old_id],
    },
  ];
}
