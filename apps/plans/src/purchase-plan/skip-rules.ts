import { ApiError, ValidationFailed, type CreateSkipInstruction } from '@fundrail/contracts';
import type { Plan } from '../plan/plan.ts';
import { earliestSkip } from '../skip/skip.ts';
import type { ComingDates } from '../skip/skip.repository.ts';

/** A range of dates to skip, both ends included. */
type Range = Pick<CreateSkipInstruction, 'from'> & { readonly to: string };

/** Throws 400 when the range has no coming installment that is not skipped already, or when more than `most` in a row would be skipped (SIP-23). */
export function checkRange(coming: ComingDates, { from, to }: Range, most: number, field = 'to'): void {
  const isInRange = (date: string) => from <= date && date <= to;
  // So the instructions of a plan are no more than its dates.
  if (!coming.dates.some(({ date, skipped }) => isInRange(date) && !skipped))
    throw new ValidationFailed([
      { field: 'from', message: 'no coming installment in this range is still to be made' },
    ]);
  let inRow = coming.skippedBefore;
  for (const { date, skipped } of coming.dates) {
    inRow = skipped || isInRange(date) ? inRow + 1 : 0;
    if (inRow > most)
      throw new ValidationFailed([{ field, message: `at most ${most} in a row may be skipped` }]);
  }
}

/** The range of the next `installments` dates that can be skipped (SIP-22). Throws 400, or 409 when the first is skipped already. */
export function rangeOfPause(
  row: Plan,
  coming: ComingDates,
  installments: number,
  { most, now }: { readonly most: number; readonly now: Date },
): Range {
  const refuse = (message: string) => new ValidationFailed([{ field: 'installments', message }]);
  if (installments > most) throw refuse(`must be at most ${most} for a ${row.frequency} plan`);
  const earliest = earliestSkip(row, now);
  const dates = coming.dates.filter(({ date }) => date >= earliest).slice(0, installments);
  const [first, last] = [dates[0], dates.at(-1)];
  if (!first || !last) throw refuse('no coming installment can be skipped any more');
  if (first.skipped)
    throw new ApiError(
      'ILLEGAL_TRANSITION',
      `${row.id} is "paused" and cannot be "paused" again: its installment of ${first.date} is skipped already`,
    );
  const range = { from: first.date, to: last.date };
  checkRange(coming, range, most, 'installments');
  return range;
}
