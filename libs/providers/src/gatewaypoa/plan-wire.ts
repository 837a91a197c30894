import { PLAN_FREQUENCIES } from '@fundrail/contracts';
import { z } from 'zod';

/** The plan part of gatewaypoa's interface, with the rules of `wire.ts`. */
export const failed = z.string().nullable();

/** The body of `POST /plans/review` and `POST /plans/register`. */
export const planRequest = z.object({
  reference: z.string().min(1).max(64),
  kind: z.enum(['redemption', 'purchase']),
  frequency: z.enum(PLAN_FREQUENCIES),
  tenant: z.string().min(1),
  old_id: z.int().positive(),
  investment_account: z.string(),
  scheme: z.string(),
  folio_number: z.string().nullable(),
  /** Of each installment, whole paise. */
  amount_paise: z.int().nonnegative().nullable(),
  /** Decimal text. */
  units: z.string().nullable(),
  installment_day: z.int().min(1).max(28).nullable(),
  number_of_installments: z.int().positive(),
  euin: z.string().nullable(),
});
export type PlanRequest = z.output<typeof planRequest>;

export const review = z.discriminatedUnion('status', [
  z.object({ status: z.literal('in_review') }),
  z.object({ status: z.literal('passed') }),
  z.object({ status: z.literal('rejected'), failure_code: failed }),
]);
const registration = z.discriminatedUnion('status', [
  z.object({ status: z.literal('none') }),
  z.object({ status: z.literal('in_progress') }),
  z.object({ status: z.literal('registered') }),
  z.object({ status: z.literal('refused'), failure_code: failed }),
]);

/** A plan as gatewaypoa returns it and sends it in callbacks. */
export const planObject = z.object({ reference: z.string(), review, registration });
export type PlanObject = z.output<typeof planObject>;
