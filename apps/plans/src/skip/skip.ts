import {
  addDays,
  ApiError,
  istDate,
  istInstant,
  istTimestamp,
  ValidationFailed,
  type CreateSkipInstruction,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { IllegalTransition } from '@fundrail/state-machines';
import { GENERATION_TIME } from '../calendar/calendar-rows.ts';
import { leadDays, type Plan } from '../plan/plan.ts';

/** A row of `skip_instructions`, with its effect on the plan. Dates are IST, both ends included. */
export interface Skip {
  readonly id: string;
  readonly plan_id: string;
  readonly tenant: string;
  /** Of its plan. */
  readonly kind: Plan['kind'];
  readonly from_date: string;
  /** Null: skips until it is cancelled. */
  readonly to_date: string | null;
  readonly created_at: Date;
  readonly cancelled_at: Date | null;
  /** The last effective day of a cancelled instruction. */
  readonly last_day: string | null;
  /** Installments of the range that were generated as cancelled, and those still to come. */
  readonly skipped: number;
  readonly remaining: number;
  /** Whether the plan generates more installments. */
  readonly goes_on: boolean;
}

/** The first date that can still be skipped: the installments of earlier ones are generated today, or have been. */
export function earliestSkip(plan: Plan, now: Date): string {
  return addDays(istDate(now), 1 + leadDays(plan));
}

/** Throws when the instruction is not allowed: 409 for the plan's state, 400 when it starts too early. */
export function checkSkip(plan: Plan, { from }: Pick<CreateSkipInstruction, 'from'>, now: Date): void {
  const { id, state } = plan;
  const illegal = (why: string) =>
    new ApiError('ILLEGAL_TRANSITION', `${id} is "${state}" and cannot have an "active" skip: ${why}`);
  if (state !== 'active') throw illegal('only an "active" plan can');
  if (!plan.auto_generate) throw illegal('it has no automatic generation');
  if (plan.generate_at === null) throw illegal('all its installments have been generated');
  if (from >= earliestSkip(plan, now)) return;
  const day = leadDays(plan) === 1 ? 'the day after tomorrow' : 'tomorrow';
  throw new ValidationFailed([{ field: 'from', message: `must be ${day} or later` }]);
}

/**
 * The last effective day of an instruction that is cancelled now. From 00:05 on it is today, because today's installment was due
 * under the instruction, even if it is not generated yet. Before 00:05 it is yesterday, or the day of an installment that was
 * generated while this cancellation waited for the plan's lock. With days of `lead`, each of these is so many days later.
 */
export function lastDayOf(now: Date, previousDate: string | null, lead = 0): string {
  const today = istDate(now);
  const due = addDays(today, now >= istInstant(today, GENERATION_TIME) ? lead : lead - 1);
  return previousDate !== null && previousDate > due ? previousDate : due;
}

/** Throws `IllegalTransition` unless the instruction is active. */
export function checkCancel(skip: Skip, now: Date): void {
  const state = stateOf(skip, now);
  if (state !== 'active') throw new IllegalTransition('skip_instruction', state, 'cancel', 'cancelled');
}

function stateOf({ cancelled_at, to_date, goes_on }: Skip, now: Date): SkipInstructionDto['state'] {
  if (cancelled_at) return 'cancelled';
  const isOver = to_date !== null && to_date < istDate(now);
  return isOver || !goes_on ? 'completed' : 'active';
}

/** The instruction as the API returns it (PLAN-28). */
export function toSkipInstruction(skip: Skip, now: Date): SkipInstructionDto {
  return {
    object: 'skip_instruction',
    id: skip.id,
    plan: skip.plan_id,
    state: stateOf(skip, now),
    from: skip.from_date,
    to: skip.to_date,
    remaining_installments: skip.remaining,
    skipped_installments: skip.skipped,
    created_at: istTimestamp(skip.created_at),
    cancelled_at: skip.cancelled_at && istTimestamp(skip.cancelled_at),
  };
}
