import { addDays, istDate, istInstant } from '@fundrail/contracts';
import type { Run } from './reconciliation.repository.ts';

/** When the night's run begins, IST: the sweeps of 23:00 and the installments of 00:05 are over by then. */
const NIGHT = '02:30';
/** Between two tries of a page whose neighbour did not answer, and how many there are. */
const AGAIN_AFTER_MS = 5_000;
const TRIES = 5;
/** How a run is made that nobody asked for. What somebody allowed, such as the loss of money, was for the run that they asked for. */
const OF_THE_NIGHT = { days: 3, settle_ms: 60_000, accept_lost_money: false };

/** The first night that begins after `wallNow`. */
export function nextNight(wallNow: Date): Date {
  const today = istDate(wallNow);
  const night = istInstant(today, NIGHT);
  return night > wallNow ? night : istInstant(addDays(today, 1), NIGHT);
}

/** A new run from the first of these checks on; without any, one that has ended. */
export function begun(run: Run, [first]: readonly string[], wallNow: Date): Run {
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

/** After a page of the check: its next page, the next check, or the pause before all suspects are looked at again. */
export function lookedAt(
  run: Run,
  { looked, next }: { readonly looked: number; readonly next: string | null },
  checks: readonly string[],
  wallNow: Date,
): Run {
  const after = { ...run, looked: run.looked + looked, failures: 0, due_at: wallNow };
  return next === null ? nextCheck(after, checks, wallNow) : { ...after, cursor: next };
}

/** A page that could not be made: it comes again, and after some tries the check is left undone. */
export function failed(run: Run, why: string, checks: readonly string[], wallNow: Date): Run {
  if (run.failures + 1 < TRIES)
    return { ...run, failures: run.failures + 1, due_at: new Date(wallNow.getTime() + AGAIN_AFTER_MS) };
  const after = { ...run, failures: 0, undone: [...run.undone, why], due_at: wallNow };
  return run.phase === 'looking' ? nextCheck(after, checks, wallNow) : after;
}

/** Whether the failure that comes now is the one at which a page is given up. */
export function isLastTry(run: Run): boolean {
  return run.failures + 1 >= TRIES;
}

/** After the pause, what was suspected is looked at again; and after another one, what was asked again. */
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
    ...OF_THE_NIGHT,
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
