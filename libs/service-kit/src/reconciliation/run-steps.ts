import { addDays, istDate, istInstant } from '@fundrail/contracts';
import type { Run } from './reconciliation.repository.ts';

/** When the nightly run starts, IST: the sweeps of 23:00 and the installments of 00:05 are over by then. */
const NIGHT = '02:30';
/** The pause between two attempts at a page when the other side did not answer, and the number of attempts. */
const AGAIN_AFTER_MS = 5_000;
const TRIES = 5;
/** The options of a nightly run. What an operator allows, such as the loss of money, is only for the run that they request. */
const NIGHTLY = { days: 3, settle_ms: 60_000, accept_lost_money: false };

/** The start of the first nightly run after `wallNow`. */
export function nextNight(wallNow: Date): Date {
  const today = istDate(wallNow);
  const night = istInstant(today, NIGHT);
  return night > wallNow ? night : istInstant(addDays(today, 1), NIGHT);
}

/** A new run that starts with the first of these checks; without checks, a run that has ended. */
export function started(run: Run, [first]: readonly string[], wallNow: Date): Run {
  const fresh: Run = {
    ...run,
    run: run.run + 1,
    check_name: first ?? null,
    cursor: null,
    looked: 0,
    failures: 0,
    undone: [],
    started_at: wallNow,
    ended_at: null,
    due_at: wallNow,
  };
  return first === undefined ? ended(fresh, wallNow) : { ...fresh, phase: 'looking' };
}

/** After a page of the check: its next page, the next check, or the pause before all suspects are checked again. */
export function lookedAt(
  run: Run,
  { looked, next }: { readonly looked: number; readonly next: string | null },
  checks: readonly string[],
  wallNow: Date,
): Run {
  const after = { ...run, looked: run.looked + looked, failures: 0, due_at: wallNow };
  return next === null ? nextCheck(after, checks, wallNow) : { ...after, cursor: next };
}

/** After a failed page: it is retried, and after some attempts the check is left undone. */
export function failed(run: Run, why: string, checks: readonly string[], wallNow: Date): Run {
  if (run.failures + 1 < TRIES)
    return { ...run, failures: run.failures + 1, due_at: new Date(wallNow.getTime() + AGAIN_AFTER_MS) };
  const after = { ...run, failures: 0, undone: [...run.undone, why], due_at: wallNow };
  return run.phase === 'looking' ? nextCheck(after, checks, wallNow) : after;
}

/** Whether the next failure is the one at which a page is given up. */
export function isLastTry(run: Run): boolean {
  return run.failures + 1 >= TRIES;
}

/** After a pause, phase `again` checks the suspects; after another pause, phase `last` checks the repaired findings. */
export function inPhase(run: Run, phase: 'again' | 'last', wallNow: Date): Run {
  return {
    ...run,
    phase,
    check_name: null,
    cursor: null,
    due_at: new Date(wallNow.getTime() + run.settle_ms),
  };
}

export function ended(run: Run, wallNow: Date): Run {
  return {
    ...run,
    ...NIGHTLY,
    phase: 'idle',
    check_name: null,
    cursor: null,
    ended_at: wallNow,
    whole_at: run.undone.length === 0 ? wallNow : run.whole_at,
    due_at: nextNight(wallNow),
  };
}

function nextCheck(run: Run, checks: readonly string[], wallNow: Date): Run {
  const next = checks[checks.indexOf(run.check_name ?? '') + 1];
  return next === undefined ? inPhase(run, 'again', wallNow) : { ...run, check_name: next, cursor: null };
}
