import { z } from 'zod';
import { consent, consentInput } from './consent.ts';
import { decimal, rupees } from './decimal.ts';
import { integerId, orDigits, prefixedId } from './ids.ts';
import {
  batchOf,
  eachOnce,
  euin,
  folioNumber,
  INITIATED_BY,
  INITIATED_VIA,
  ipAddress,
  ofOneAccount,
  orderChange,
  orderInput,
  wholeNumber,
} from './mf-order.dto.ts';
import {
  CANCELLATION_CODES,
  LAST_INSTALLMENT_DAY,
  mandateReference,
  MF_PLAN_STATES,
  MOST_INSTALLMENTS,
  planCancellation,
  planTail,
  withReason,
} from './mf-redemption-plan.dto.ts';
import { commaList, listSchema, sizedQuery } from './page-size.ts';
import {
  heldStepUp,
  PLAN_FREQUENCIES,
  stepUp,
  stepUpFault,
  stepUpInput,
  type PlanFrequency,
} from './plan-step-up.dto.ts';
import { plainText } from './text.ts';
import { businessDate } from './time.ts';

/** What an investor saves for. */
const PURPOSES = [
  'children_education',
  'children_marriage',
  'house',
  'car',
  'travel',
  'retirement',
  'others',
] as const;

/** The plan ended because too many of its installments in a row were not paid (SIP-18). No request may give it. */
export const UNPAID_TOO_OFTEN = 'consecutive_failed_installment_limit_exceeded';

/** Monday to Friday. */
const LAST_WEEKDAY = 5;

/** A purchase plan as GET returns it and as every `mf_purchase_plan.*` event carries it (SIP-5). Amounts in rupees. */
export const mfPurchasePlan = z
  .strictObject({
    object: z.literal('mf_purchase_plan'),
    id: prefixedId('purchasePlan'),
    old_id: integerId,
    state: z.enum(MF_PLAN_STATES),
    systematic: z.literal(true),
    frequency: z.enum(PLAN_FREQUENCIES),
    /** A day of the month, or of the week from 1 (Monday); null when `daily`. */
    installment_day: z.int().nullable(),
    mf_investment_account: prefixedId('investmentAccount'),
    /** The plan's own, or that of its first successful installment. */
    folio_number: z.string().nullable(),
    scheme: z.string(),
    /** Of the last installment made; before, of the first. */
    amount: decimal,
    step_up: stepUp.nullable(),
    /** Null when no installment is to come. */
    next_installment_amount: decimal.nullable(),
    /** Null in events written before it was there. */
    held_step_up: heldStepUp.nullable().default(null),
    number_of_installments: z.int(),
    /** Installments not generated yet. */
    remaining_installments: z.int(),
    /** The first and the last nominal date; null until the plan is active. */
    start_date: businessDate.nullable(),
    end_date: businessDate.nullable(),
    /** Dates after the move to a business day; null when there is none. */
    next_installment_date: businessDate.nullable(),
    previous_installment_date: businessDate.nullable(),
    /** The last day of the skip range that holds the next date. */
    paused_until: businessDate.nullable(),
    auto_generate_installments: z.literal(true),
    consent: consent.nullable(),
    purpose: z.enum(PURPOSES).nullable(),
    payment_method: z.literal('mandate').nullable(),
    /** The id of the mandate. */
    payment_source: z.string().nullable(),
    /** Unpaid installments with numbers above that of the last successful one. */
    consecutive_failed_installments: z.int(),
    gateway: z.literal('gatewaypoa'),
    source_ref_id: z.string().nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    user_ip: z.string().nullable(),
    initiated_by: z.enum(INITIATED_BY).nullable(),
    initiated_via: z.enum(INITIATED_VIA).nullable(),
    cancellation_code: z.enum([...CANCELLATION_CODES, UNPAID_TOO_OFTEN]).nullable(),
    /** Whether the plan ended itself, because its installments were not paid. */
    auto_cancelled: z.boolean(),
    /** The caller's reason for a cancellation, or the gateway's for a failure; before that, why the mandate cannot collect. */
    reason: z.string().nullable(),
    ...planTail,
  })
  .meta({ id: 'MfPurchasePlan' });
export type MfPurchasePlanDto = z.output<typeof mfPurchasePlan>;

/** Why the day does not fit the frequency, or null (SIP-4). */
function dayFault(frequency: PlanFrequency, day: number | null | undefined): string | null {
  const given = day ?? null;
  if (frequency === 'daily') return given === null ? null : 'should be null for the given frequency';
  if (given === null) return 'is required for the given frequency';
  if (frequency === 'day_in_a_week' || frequency === 'day_in_a_fortnight')
    return given > LAST_WEEKDAY ? 'must be 1 (Monday) to 5 (Friday)' : null;
  return given > LAST_INSTALLMENT_DAY
    ? 'must be 1 to 28: registrars do not accept installments on later days of the month'
    : null;
}

/** Body of `POST /v2/mf_purchase_plans` (SIP-2). The service checks that the last date is within 30 years. */
export const createMfPurchasePlan = z
  .strictObject({
    ...orderInput,
    amount: rupees,
    systematic: z.literal(true, { error: 'must be true' }),
    frequency: z.enum(PLAN_FREQUENCIES),
    installment_day: orDigits(z.int().min(1)).nullish(),
    number_of_installments: orDigits(z.int().min(1).max(MOST_INSTALLMENTS)),
    generate_first_installment_now: z.boolean().optional(),
    auto_generate_installments: z.literal(true, { error: 'must be true' }).optional(),
    payment_method: z.literal('mandate').nullish(),
    payment_source: mandateReference.nullish(),
    step_up: stepUpInput.nullish(),
    consent: consentInput.nullish(),
    purpose: z.enum(PURPOSES).nullish(),
    folio_number: folioNumber.nullish(),
    gateway: z.literal('gatewaypoa').nullish(),
    user_ip: ipAddress.nullish(),
    server_ip: ipAddress.nullish(),
    euin: euin.nullish(),
    partner: plainText(100).nullish(),
    source_ref_id: plainText(100).nullish(),
    initiated_by: z.enum(INITIATED_BY).nullish(),
    initiated_via: z.enum(INITIATED_VIA).nullish(),
  })
  .superRefine((plan, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: field.split('.'), message });
    const day = dayFault(plan.frequency, plan.installment_day);
    if (day !== null) refuse('installment_day', day);
    const step = plan.step_up && stepUpFault(plan, plan.step_up);
    if (step) refuse(step.field, step.message);
    bothOrNeither(plan, context);
  })
  .meta({ id: 'CreateMfPurchasePlan' });
export type CreateMfPurchasePlan = z.output<typeof createMfPurchasePlan>;

function bothOrNeither(
  { payment_method, payment_source }: { payment_method?: unknown; payment_source?: unknown },
  context: z.core.$RefinementCtx,
): void {
  const [isMethod, isSource] = [Boolean(payment_method), Boolean(payment_source)];
  if (isMethod === isSource) return;
  const [missing, given] = isMethod
    ? ['payment_source', 'payment_method']
    : ['payment_method', 'payment_source'];
  context.addIssue({ code: 'custom', path: [missing], message: `is required when ${given} is given` });
}

/** Body of `POST /v2/mf_purchase_plans/batch`: up to 10 plans of one account, all or nothing. */
export const createMfPurchasePlans = z
  .strictObject({ mf_purchase_plans: batchOf(createMfPurchasePlan) })
  .superRefine(ofOneAccount('mf_purchase_plans'))
  .meta({ id: 'CreateMfPurchasePlans' });

const planChange = {
  ...orderChange,
  amount: rupees.optional(),
  /** Null ends it. */
  step_up: stepUpInput.nullable().optional(),
  payment_method: z.literal('mandate').optional(),
  payment_source: mandateReference.optional(),
};

/**
 * The mixes of SIP-9: consent and state, the mandate alone, or under a consent either the mandate or amount and step-up. Which of them
 * a plan takes follows from its state.
 */
function oneChange(
  { consent, state, ...terms }: z.output<z.ZodObject<typeof planChange>>,
  context: z.core.$RefinementCtx,
): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  bothOrNeither(terms, context);
  const isRepriced = terms.amount !== undefined || terms.step_up !== undefined;
  const isOtherMandate = terms.payment_source !== undefined;
  if (isRepriced && !consent) refuse('consent', 'is required: the investor agrees to the change');
  if (isRepriced && isOtherMandate)
    refuse('payment_source', 'must not be sent together with amount or step_up');
  if (state && (isRepriced || isOtherMandate)) refuse('state', 'must not be sent together with other terms');
  if (!consent && !state && !isRepriced && !isOtherMandate)
    refuse('state', 'is required when nothing else is given');
}

/** Body of `PATCH /v2/mf_purchase_plans`. */
export const patchMfPurchasePlan = z
  .strictObject({ id: prefixedId('purchasePlan'), ...planChange })
  .superRefine(oneChange)
  .meta({ id: 'PatchMfPurchasePlan' });
export type PatchMfPurchasePlan = z.output<typeof patchMfPurchasePlan>;

/** Body of `PATCH /v2/mf_purchase_plans/:id`; an `id` in it must be the path's. */
export const patchOneMfPurchasePlan = z
  .strictObject({ id: prefixedId('purchasePlan').optional(), ...planChange })
  .superRefine(oneChange)
  .meta({ id: 'PatchOneMfPurchasePlan' });
export type PatchOneMfPurchasePlan = z.output<typeof patchOneMfPurchasePlan>;

/** Body of `PATCH /v2/mf_purchase_plans/batch`: up to 10 plans of one account, all or nothing. */
export const patchMfPurchasePlans = z
  .strictObject({ mf_purchase_plans: batchOf(patchMfPurchasePlan) })
  .superRefine(eachOnce('mf_purchase_plans'))
  .meta({ id: 'PatchMfPurchasePlans' });

/** Body of `POST /v2/mf_purchase_plans/cancel`. */
export const cancelMfPurchasePlan = z
  .strictObject({ id: prefixedId('purchasePlan'), ...planCancellation })
  .superRefine(withReason)
  .meta({ id: 'CancelMfPurchasePlan' });
export type CancelMfPurchasePlan = z.output<typeof cancelMfPurchasePlan>;

/** Body of `POST /v2/mf_purchase_plans/:id/cancel`; an `id` in it must be the path's. */
export const cancelOneMfPurchasePlan = z
  .strictObject({ id: prefixedId('purchasePlan').optional(), ...planCancellation })
  .superRefine(withReason)
  .meta({ id: 'CancelOneMfPurchasePlan' });
export type CancelOneMfPurchasePlan = z.output<typeof cancelOneMfPurchasePlan>;

/** Body of `POST /v2/mf_purchase_plans/:id/pause`. The service checks the most for the plan's frequency (SIP-22). */
export const pauseMfPurchasePlan = z
  .strictObject({ installments: orDigits(z.int().min(1)) })
  .meta({ id: 'PauseMfPurchasePlan' });
export type PauseMfPurchasePlan = z.output<typeof pauseMfPurchasePlan>;

/** Query of `GET /v2/mf_purchase_plans`: newest first. */
export const listMfPurchasePlans = sizedQuery(
  'limit',
  z.strictObject({
    mf_investment_account: prefixedId('investmentAccount').optional(),
    states: commaList(z.enum(MF_PLAN_STATES)).optional(),
    source_ref_id: plainText(100).optional(),
    payment_source: mandateReference.optional(),
    limit: wholeNumber(1, 100).default(100),
    /** The same as `limit`. */
    size: wholeNumber(1, 100).optional(),
    starting_after: prefixedId('purchasePlan').optional(),
  }),
);
export type ListMfPurchasePlans = z.output<typeof listMfPurchasePlans>;

/** Answer of a list or a batch. */
export const mfPurchasePlanList = listSchema(mfPurchasePlan).meta({ id: 'MfPurchasePlanList' });
