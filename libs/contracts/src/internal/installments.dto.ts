import { z } from 'zod';
import { consent } from '../consent.ts';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId, planIdInput, prefixedId } from '../ids.ts';
import { businessDate, timestamp } from '../time.ts';

/** `GET /internal/plans/skip_instructions/:id?tenant=` (plans): the plan, and the days of an instruction, both ends included. */
export const skippedDays = z.strictObject({
  plan: z.string(),
  from: businessDate,
  /** Null: without an end. */
  to: businessDate.nullable(),
});
export type SkippedDays = z.infer<typeof skippedDays>;

/**
 * An installment that a plan has generated: all that orders needs to create the redemption (PLAN-18). It is the object of
 * `mf_redemption_plan.installment_generated` and the result of a draw. Orders is idempotent by `redemption`, and by
 * (`plan`, `installment_number`).
 */
export const planInstallment = z
  .strictObject({
    plan: prefixedId('redemptionPlan'),
    mf_investment_account: prefixedId('investmentAccount'),
    folio_number: z.string().nullable(),
    scheme: z.string(),
    /** Rupees. When `units` is null too, all units are redeemed. */
    amount: decimal.nullable(),
    units: decimal.nullable(),
    gateway: z.literal('gatewaypoa'),
    /** The consent that confirms the installment automatically; a skipped one has neither consent nor `user_ip`. */
    consent: consent.nullable(),
    payment_method: z.literal('mandate').nullable(),
    /** The mandate that collects the installment. */
    payment_source: integerId.nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    user_ip: z.string().nullable(),
    initiated_by: z.literal('system'),
    /** Counts from 1. */
    installment_number: z.int().positive(),
    redemption: prefixedId('redemption'),
    /** `cancelled`: the date lies in a skip range; the redemption is only recorded. */
    state: z.enum(['under_review', 'cancelled']),
    /** The date by the plan's day of the month, and the business day that it moved to. */
    nominal_date: businessDate,
    date: businessDate,
  })
  .meta({ id: 'PlanInstallment' });
export type PlanInstallment = z.infer<typeof planInstallment>;

/**
 * An installment that a purchase plan has generated: all that orders needs to create the purchase (SIP-13). It is the object of
 * `mf_purchase_plan.installment_generated`. Orders is idempotent by `purchase`, and by (`plan`, `installment_number`).
 */
export const purchaseInstallment = z
  .strictObject({
    plan: prefixedId('purchasePlan'),
    account: prefixedId('investmentAccount'),
    /** Its primary investor. */
    investor_profile: prefixedId('investorProfile'),
    scheme: z.string(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    folio_number: z.string().nullable(),
    /** The plan's consent; a skipped one has neither consent nor `user_ip`. */
    consent: consent.nullable(),
    user_ip: z.string().nullable(),
    /** Counts from 1. */
    installment_number: z.int().positive(),
    purchase: prefixedId('purchase'),
    /** `cancelled`: the date lies in a skip range; the purchase is only recorded. */
    state: z.enum(['under_review', 'cancelled']),
    /** The date by the plan's frequency and day, and the business day that it moved to. */
    nominal_date: businessDate,
    date: businessDate,
    /** 23:00 IST of the last day on which it may be paid. */
    payable_until: timestamp,
    /** Rupees. */
    amount: decimal,
    /** The mandate that orders debits for it; null when the investor pays by himself, and for a first installment "now". */
    payment_source: integerId.nullable(),
  })
  .meta({ id: 'PurchaseInstallment' });
export type PurchaseInstallment = z.infer<typeof purchaseInstallment>;

/**
 * `POST /internal/plans/installments` (plans): draws the next installment of a plan whose client generates them. Idempotent by the
 * redemption's id, which orders chooses (CALL-6). If orders never stored the redemption,
 * `mf_redemption_plan.installment_generated` delivers the draw again.
 */
export const drawInstallment = z.strictObject({
  tenant: z.string(),
  plan: planIdInput,
  redemption: prefixedId('redemption'),
});
export type DrawInstallment = z.infer<typeof drawInstallment>;
export const drawResult = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('drawn'), installment: planInstallment }),
  z.strictObject({
    outcome: z.literal('refused'),
    /** 400 when the plan is not this tenant's or generates automatically, 409 when its state forbids it. */
    code: z.enum(['BAD_REQUEST_ERROR', 'ILLEGAL_TRANSITION']),
    message: z.string(),
    errors: z.array(fieldError),
  }),
]);
export type DrawResult = z.infer<typeof drawResult>;
