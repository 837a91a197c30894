import { z } from 'zod';
import { consent, consentInput } from './consent.ts';
import { decimal, rupees } from './decimal.ts';
import { fundUnits } from './fund-units.ts';
import { integerId, orDigits, planIdInput, prefixedId } from './ids.ts';
import { mutualFundIsin } from './isin.ts';
import {
  atLeastOne,
  euin,
  folioNumber,
  INITIATED_BY,
  INITIATED_VIA,
  ipAddress,
  orderChange,
  wholeNumber,
  withoutEffect,
} from './mf-order.dto.ts';
import { commaList, listSchema, sizedQuery } from './page-size.ts';
import { plainText } from './text.ts';
import { businessDate, timestamp } from './time.ts';

/** The states of plans of either kind (PLAN-6, SIP-6). */
export const MF_PLAN_STATES = [
  'created',
  'review_completed',
  'confirmed',
  'submitted',
  'active',
  'completed',
  'cancelled',
  'failed',
] as const;

/** The last fields of a plan of either kind. */
export const planTail = {
  /** A sentence while the holidays of a year with installments are not known; until then only weekends and fixed national holidays count (CONV-34). */
  calendar_warning: z.string().nullable(),
  created_at: timestamp,
  review_completed_at: timestamp.nullable(),
  confirmed_at: timestamp.nullable(),
  submitted_at: timestamp.nullable(),
  activated_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  cancelled_at: timestamp.nullable(),
  failed_at: timestamp.nullable(),
};

/** Why a plan may be cancelled, PLAN-10. */
export const CANCELLATION_CODES = [
  'amount_not_available',
  'investment_returns_not_as_expected',
  'exit_load_not_as_expected',
  'switch_to_other_scheme',
  'fund_manager_changed',
  'investment_goal_complete',
  'mandate_not_ready',
  'invest_later',
  'customer_support_not_satisfactory',
  'amc_support_not_satisfactory',
  'custom_reason',
] as const;

/** The last day of a month on which registrars accept installments (PLAN-4). */
export const LAST_INSTALLMENT_DAY = 28;
/** 100 years of monthly installments. */
export const MOST_INSTALLMENTS = 1200;

/** A redemption plan as GET returns it and as every `mf_redemption_plan.*` event carries it (PLAN-5). */
export const mfRedemptionPlan = z
  .strictObject({
    object: z.literal('mf_redemption_plan'),
    id: prefixedId('redemptionPlan'),
    old_id: integerId,
    state: z.enum(MF_PLAN_STATES),
    systematic: z.literal(true),
    frequency: z.literal('monthly'),
    installment_day: z.int(),
    mf_investment_account: prefixedId('investmentAccount'),
    folio_number: z.string().nullable(),
    scheme: z.string(),
    /** Rupees of each installment. Null when `units` is set. Installments of older plans with neither redeem all units. */
    amount: decimal.nullable(),
    units: decimal.nullable(),
    number_of_installments: z.int(),
    /** Installments not generated yet. */
    remaining_installments: z.int(),
    /** The first and the last nominal date; null until the plan is active. */
    start_date: businessDate.nullable(),
    end_date: businessDate.nullable(),
    /** Dates after the move to a business day; null when there is none. */
    next_installment_date: businessDate.nullable(),
    previous_installment_date: businessDate.nullable(),
    auto_generate_installments: z.boolean(),
    consent: consent.nullable(),
    payment_method: z.literal('mandate').nullable(),
    /** The id of the mandate. */
    payment_source: z.string().nullable(),
    gateway: z.literal('gatewaypoa'),
    source_ref_id: z.string().nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    user_ip: z.string().nullable(),
    cancellation_code: z.enum(CANCELLATION_CODES).nullable(),
    /** The caller's reason for a cancellation, or the gateway's for a failure; before that, why the mandate cannot collect (PLAN-25). */
    reason: z.string().nullable(),
    ...planTail,
  })
  .meta({ id: 'MfRedemptionPlan' });
export type MfRedemptionPlanDto = z.infer<typeof mfRedemptionPlan>;

const installmentDay = orDigits(
  z
    .int()
    .min(1)
    .max(
      LAST_INSTALLMENT_DAY,
      'must be 1 to 28: registrars do not accept installments on later days of the month',
    ),
);

/** Mandate ids are integers; PLAN-21 defines the field as a string, so both are accepted. */
export const mandateReference = z
  .union([integerId, z.string().regex(/^[1-9]\d{0,14}$/, 'must be the id of a mandate')])
  .transform(Number);

/** Body of `POST /v2/mf_redemption_plans` (PLAN-2, PLAN-3). */
export const createMfRedemptionPlan = z
  .strictObject({
    mf_investment_account: prefixedId('investmentAccount'),
    scheme: mutualFundIsin,
    systematic: z.literal(true, { error: 'must be true' }),
    frequency: z.literal('monthly', { error: 'must be monthly' }),
    installment_day: installmentDay,
    number_of_installments: orDigits(z.int().min(1).max(MOST_INSTALLMENTS)),
    amount: rupees.nullish(),
    units: fundUnits.nullish(),
    auto_generate_installments: z.boolean().optional(),
    generate_first_installment_now: z.boolean().optional(),
    consent: consentInput.nullish(),
    payment_method: z.literal('mandate').nullish(),
    payment_source: mandateReference.nullish(),
    folio_number: folioNumber.nullish(),
    gateway: z.literal('gatewaypoa').nullish(),
    user_ip: ipAddress.nullish(),
    server_ip: withoutEffect(ipAddress),
    euin: euin.nullish(),
    partner: plainText(100).nullish(),
    source_ref_id: plainText(100).nullish(),
    initiated_by: withoutEffect(z.enum(INITIATED_BY)),
    initiated_via: withoutEffect(z.enum(INITIATED_VIA)),
    purpose: withoutEffect(plainText(100)),
  })
  .superRefine((plan, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (plan.amount && plan.units) refuse('units', 'must not be sent together with amount');
    if (!plan.amount && !plan.units)
      refuse(
        'amount',
        'is required when units is not given: each installment redeems either an amount or units',
      );
    if (plan.auto_generate_installments === false && plan.generate_first_installment_now === true)
      refuse('generate_first_installment_now', 'cannot be true when auto_generate_installments is false');
    if (!plan.payment_method) {
      if (plan.payment_source) refuse('payment_method', 'is required when payment_source is given');
      return;
    }
    if (!plan.payment_source) refuse('payment_source', 'is required when payment_method is mandate');
    if (plan.units) refuse('units', 'cannot be collected by a mandate: send amount instead');
  })
  .meta({ id: 'CreateMfRedemptionPlan' });
export type CreateMfRedemptionPlan = z.output<typeof createMfRedemptionPlan>;

/** Body of `PATCH /v2/mf_redemption_plans`. */
export const patchMfRedemptionPlan = z
  .strictObject({ id: planIdInput, ...orderChange })
  .superRefine(atLeastOne)
  .meta({ id: 'PatchMfRedemptionPlan' });
export type PatchMfRedemptionPlan = z.output<typeof patchMfRedemptionPlan>;

/** Body of `PATCH /v2/mf_redemption_plans/:id`; an `id` in it must be the path's. */
export const patchOneMfRedemptionPlan = z
  .strictObject({ id: planIdInput.optional(), ...orderChange })
  .superRefine(atLeastOne)
  .meta({ id: 'PatchOneMfRedemptionPlan' });
export type PatchOneMfRedemptionPlan = z.output<typeof patchOneMfRedemptionPlan>;

/** Why a plan of either kind is cancelled. */
export const planCancellation = {
  cancellation_code: z.enum(CANCELLATION_CODES),
  cancellation_reason: plainText(500).nullish(),
};

/** Refuses a custom reason without words. */
export function withReason(
  asked: z.output<z.ZodObject<typeof planCancellation>>,
  context: z.core.$RefinementCtx,
): void {
  if (asked.cancellation_code !== 'custom_reason' || asked.cancellation_reason) return;
  const message = 'is required when cancellation_code is custom_reason';
  context.addIssue({ code: 'custom', path: ['cancellation_reason'], message });
}

/** Body of `POST /v2/mf_redemption_plans/:id/cancel`. */
export const cancelMfRedemptionPlan = z
  .strictObject(planCancellation)
  .superRefine(withReason)
  .meta({ id: 'CancelMfRedemptionPlan' });
export type CancelMfRedemptionPlan = z.output<typeof cancelMfRedemptionPlan>;

/** Query of `GET /v2/mf_redemption_plans`: newest first (PLAN-11). */
export const listMfRedemptionPlans = sizedQuery(
  'limit',
  z.strictObject({
    mf_investment_account: prefixedId('investmentAccount').optional(),
    states: commaList(z.enum(MF_PLAN_STATES)).optional(),
    source_ref_id: plainText(100).optional(),
    limit: wholeNumber(1, 100).default(100),
    /** The same as `limit`. */
    size: wholeNumber(1, 100).optional(),
    starting_after: planIdInput.optional(),
  }),
);
export type ListMfRedemptionPlans = z.output<typeof listMfRedemptionPlans>;

/** Answer of a list. */
export const mfRedemptionPlanList = listSchema(mfRedemptionPlan).meta({ id: 'MfRedemptionPlanList' });
