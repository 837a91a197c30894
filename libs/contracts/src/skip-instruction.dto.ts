import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { listSchema } from './page-size.ts';
import { businessDate, timestamp } from './time.ts';

/** States of a skip instruction, PLAN-28. */
const SKIP_INSTRUCTION_STATES = ['active', 'completed', 'cancelled'] as const;

/** Installments whose moved date lies in the range are generated as cancelled (PLAN-26, PLAN-27). */
export const skipInstruction = z
  .strictObject({
    object: z.literal('skip_instruction'),
    id: prefixedId('skipInstruction'),
    plan: prefixedId('redemptionPlan'),
    state: z.enum(SKIP_INSTRUCTION_STATES),
    from: businessDate,
    /** Inclusive; null skips until the instruction is cancelled. */
    to: businessDate.nullable(),
    /** Installments of the range that are not due yet, and those that were skipped. */
    remaining_installments: z.int(),
    skipped_installments: z.int(),
    created_at: timestamp,
    cancelled_at: timestamp.nullable(),
  })
  .meta({ id: 'SkipInstruction' });
export type SkipInstructionDto = z.infer<typeof skipInstruction>;

/** Body of `POST /v2/mf_redemption_plans/:id/skip_instructions`. The service checks that `from` is tomorrow or later. */
export const createSkipInstruction = z
  .strictObject({ from: businessDate, to: businessDate.nullish() })
  .superRefine(({ from, to }, context) => {
    if (!to || to >= from) return;
    context.addIssue({ code: 'custom', path: ['to'], message: 'must not be before from' });
  })
  .meta({ id: 'CreateSkipInstruction' });
export type CreateSkipInstruction = z.output<typeof createSkipInstruction>;

/** Answer of a list. */
export const skipInstructionList = listSchema(skipInstruction).meta({ id: 'SkipInstructionList' });

/** The same of a purchase plan (SIP-23). */
export const purchaseSkip = skipInstruction
  .extend({ plan: prefixedId('purchasePlan') })
  .meta({ id: 'MfPurchasePlanSkip' });

/** Body of `POST /v2/mf_purchase_plans/:id/skip_instructions`: a purchase plan is never skipped without an end. */
export const createPurchaseSkip = createSkipInstruction
  .safeExtend({ to: businessDate })
  .meta({ id: 'CreateMfPurchasePlanSkip' });

/** Answer of a list. */
export const purchaseSkipList = listSchema(purchaseSkip).meta({ id: 'MfPurchasePlanSkipList' });
