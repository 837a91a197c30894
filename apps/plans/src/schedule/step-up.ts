import { Decimal, MOST_RUPEES, type HeldStepUp, type StepUp } from '@fundrail/contracts';
import { addMonths } from './schedule.ts';

/** What a plan's next amount follows from: columns of its course, which the generating statement reads alike. */
export interface StepUpTerms {
  /** Rupees, before the next step. */
  readonly amount: Decimal;
  readonly step_up_type: StepUp['type'] | null;
  readonly step_up_value: Decimal | null;
  readonly step_up_frequency: StepUp['frequency'] | null;
  readonly step_up_max: Decimal | null;
  /** The steps whose date has passed, taken or held. */
  readonly steps_passed: number;
  /** The most that the mandate allows; null without a mandate. */
  readonly mandate_limit: Decimal | null;
  readonly first_by_day: string | null;
  readonly next_nominal: string | null;
}

/** Months between two steps. */
export const STEP_UP_MONTHS: Readonly<Record<StepUp['frequency'], number>> = { half_yearly: 6, yearly: 12 };

/** The amount after one step (SIP-19): per cent go down to a whole rupee, never below the amount before nor above that of one order. */
export function steppedUp(amount: Decimal, { type, value, max_amount }: Omit<StepUp, 'frequency'>): Decimal {
  const raised = type === 'amount' ? amount.plus(value) : atLeast(amount, percentMore(amount, value));
  const most = max_amount ?? MOST_RUPEES;
  return raised.compare(most) > 0 ? most : raised;
}

/**
 * The amount of the next installment (SIP-20), and what it would be with a step that the mandate's limit holds back, or null (SIP-21). A
 * step that adds nothing, as at `max_amount`, is not held back, also when the limit is below the amount.
 */
export function nextAmount(terms: StepUpTerms): {
  readonly amount: Decimal;
  readonly held: HeldStepUp | null;
} {
  const { amount, mandate_limit, next_nominal, first_by_day, steps_passed } = terms;
  const step = stepUpOf(terms);
  const isDue =
    step !== null &&
    first_by_day !== null &&
    next_nominal !== null &&
    next_nominal >= stepDate(first_by_day, step.frequency, steps_passed + 1);
  if (!isDue) return { amount, held: null };
  const raised = steppedUp(amount, step);
  const isHeld = mandate_limit !== null && raised.compare(mandate_limit) > 0 && !raised.equals(amount);
  return isHeld ? { amount, held: { amount: raised, mandate_limit } } : { amount: raised, held: null };
}

/** How many steps have a date up to `day`: those that a new step-up does not take any more. */
export function stepsUntil(day: string, first_by_day: string, frequency: StepUp['frequency']): number {
  let passed = 0;
  while (stepDate(first_by_day, frequency, passed + 1) <= day) passed += 1;
  return passed;
}

/** The step-up of a course's columns, or null. */
export function stepUpOf({
  step_up_type: type,
  step_up_value: value,
  step_up_frequency: frequency,
  step_up_max: max_amount,
}: Pick<StepUpTerms, 'step_up_type' | 'step_up_value' | 'step_up_frequency' | 'step_up_max'>): StepUp | null {
  return type && value && frequency ? { type, value, frequency, max_amount } : null;
}

function stepDate(first_by_day: string, frequency: StepUp['frequency'], step: number): string {
  return addMonths(first_by_day, STEP_UP_MONTHS[frequency] * step);
}

/** In paise and hundredths of a per cent, which requests are exact to. */
function percentMore(amount: Decimal, percentage: Decimal): Decimal {
  const raised = BigInt(amount.toPaise()) * BigInt(10_000 + percentage.toPaise());
  return Decimal.ofPaise((raised / 1_000_000n) * 100n);
}

function atLeast(least: Decimal, value: Decimal): Decimal {
  return value.compare(least) < 0 ? least : value;
}
