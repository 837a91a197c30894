import { z } from 'zod';
import { consent } from '../consent.ts';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId, planIdInput, prefixedId } from '../ids.ts';
import { businessDate } from '../time.ts';

/**
 * An installment that a plan has generated: all that orders needs to make the redemption (contract §5). It is the object of
 * `mf_redemption_plan.installment_generated` and what a draw answers; orders is idempotent by `redemption`, and by
 * (`plan`, `installment_number`).
 */
export const planInstallment = z
  .strictObject({
    plan: prefixedId('redemptionPlan'),
    mf_investment_account: prefixedId('investmentAccount'),
    folio_number: z.string().nullable(),
    scheme: z.string(),
    /** Rupees; with `units` null too, all there is. */
    amount: decimal.nullable(),
    units: decimal.nullable(),
    gateway: z.literal('gatewaypoa'),
    /** Under which the installment is confirmed by itself; one that is skipped carries neither it nor `user_ip`. */
    consent: consent.nullable(),
    payment_method: z.literal('mandate').nullable(),
    /** The mandate that the installment is collected by. */
    payment_source: integerId.nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    user_ip: z.string().nullable(),
    initiated_by: z.literal('system'),
    /** Counts from 1. */
    installment_number: z.int().positive(),
    /** The id that the redemption shall have. */
    redemption: prefixedId('redemption'),
    /** `cancelled`: the date lies in a skip range, and the redemption is only kept. */
    state: z.enum(['under_review', 'cancelled']),
    /** The date by the plan's day of the month, and the business day that it moved to. */
    nominal_date: businessDate,
    date: businessDate,
  })
  .meta({ id: 'PlanInstallment' });
export type PlanInstallment = z.infer<typeof planInstallment>;

/**
 * `POST /internal/swp/installments` (swp): draws the next installment of a plan whose caller generates them, idempotent by the
 * redemption's id, which orders has chosen (architecture §11). A draw whose redemption was never stored is told again by
 * `mf_redemption_plan.installment_generated`.
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
    /** 400 when the plan is not this tenant's or generates by itself, 409 when its state forbids it. */
    code: z.enum(['BAD_REQUEST_ERROR', 'ILLEGAL_TRANSITION']),
    message: z.string(),
    errors: z.array(fieldError),
  }),
]);
export type DrawResult = z.infer<typeof drawResult>;
