import { z } from 'zod';
import { Decimal, decimal, rupees } from './decimal.ts';

/** How often an investor buys (SIP-3). `daily` means every business day. */
export const PLAN_FREQUENCIES = [
  'daily',
  'day_in_a_week',
  'day_in_a_fortnight',
  'monthly',
  'quarterly',
  'half_yearly',
  'yearly',
] as const;
export type PlanFrequency = (typeof PLAN_FREQUENCIES)[number];

const STEP_UP_TYPES = ['amount', 'percentage'] as const;
const STEP_UP_FREQUENCIES = ['half_yearly', 'yearly'] as const;

/** How a plan's amount grows: by `value` rupees or per cent, up to `max_amount` (SIP-19). */
export const stepUp = z
  .strictObject({
    type: z.enum(STEP_UP_TYPES),
    value: decimal,
    frequency: z.enum(STEP_UP_FREQUENCIES),
    max_amount: decimal.nullable(),
  })
  .meta({ id: 'StepUp' });
export type StepUp = z.output<typeof stepUp>;

/** A step-up that the mandate's limit holds back from the next installment (SIP-21). Both in rupees. */
export const heldStepUp = z
  .strictObject({
    /** Of the installment, had the step been taken. */
    amount: decimal,
    /** The most that one debit may take; less than that amount. */
    mandate_limit: decimal,
  })
  .meta({ id: 'HeldStepUp' });
export type HeldStepUp = z.output<typeof heldStepUp>;

const LEAST_PERCENTAGE = Decimal.parse('1');
const MOST_PERCENTAGE = Decimal.parse('100');

/** The same in a request (SIP-19). */
export const stepUpInput = z
  .strictObject({
    type: z.enum(STEP_UP_TYPES),
    value: rupees,
    frequency: z.enum(STEP_UP_FREQUENCIES),
    max_amount: rupees.nullish(),
  })
  .superRefine(({ type, value }, context) => {
    if (type === 'amount') return;
    if (value.compare(LEAST_PERCENTAGE) >= 0 && value.compare(MOST_PERCENTAGE) <= 0) return;
    context.addIssue({ code: 'custom', path: ['value'], message: 'must be 1 to 100 per cent' });
  });
type StepUpInput = z.output<typeof stepUpInput>;

/** Why a plan cannot have the step-up: the field and the reason, or null (SIP-19). */
export function stepUpFault(
  { frequency, amount }: { readonly frequency: PlanFrequency; readonly amount: Decimal },
  step: StepUpInput,
): { readonly field: string; readonly message: string } | null {
  const onField = (field: string, message: string) => ({ field, message });
  if (frequency === 'daily') return onField('step_up', 'is not possible for a daily plan');
  if (step.frequency === 'half_yearly' && ['quarterly', 'half_yearly', 'yearly'].includes(frequency))
    return onField('step_up.frequency', `must be yearly when the plan is ${frequency}`);
  return step.max_amount && step.max_amount.compare(amount) <= 0
    ? onField('step_up.max_amount', 'must be above the amount')
    : null;
}
