import { z } from 'zod';
import { consent } from './consent.ts';
import { decimal } from './decimal.ts';
import { integerId, prefixedId } from './ids.ts';
import { businessDate, timestamp } from './time.ts';

/** Order states, contract §2. */
export const MF_PURCHASE_STATES = [
  'under_review',
  'pending',
  'confirmed',
  'submitted',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const;

/** A purchase order as GET answers it and as every `mf_purchase.*` event carries it (contract §2). Amounts in rupees. */
export const mfPurchase = z
  .strictObject({
    object: z.literal('mf_purchase'),
    id: prefixedId('purchase'),
    old_id: integerId,
    mf_investment_account: prefixedId('investmentAccount'),
    scheme: z.string(),
    folio_number: z.string().nullable(),
    state: z.enum(MF_PURCHASE_STATES),
    /** `fresh` opens a folio, `additional` adds to one. */
    type: z.enum(['fresh', 'additional']),
    amount: decimal,
    units: decimal.nullable(),
    gateway: z.literal('gatewaypoa'),
    plan: z.string().nullable(),
    installment_number: z.int().nullable(),
    scheduled_on: businessDate.nullable(),
    traded_on: businessDate.nullable(),
    allotted_units: decimal.nullable(),
    purchased_amount: decimal.nullable(),
    purchased_price: decimal.nullable(),
    consent: consent.nullable(),
    payment_id: integerId.nullable(),
    order_reference: z.string().nullable(),
    failure_code: z.string().nullable(),
    source_ref_id: z.string().nullable(),
    user_ip: z.string().nullable(),
    euin: z.string().nullable(),
    partner: z.string().nullable(),
    initiated_by: z.string().nullable(),
    initiated_via: z.string().nullable(),
    created_at: timestamp,
    review_completed_at: timestamp.nullable(),
    confirmed_at: timestamp.nullable(),
    submitted_at: timestamp.nullable(),
    succeeded_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    cancelled_at: timestamp.nullable(),
    reversed_at: timestamp.nullable(),
  })
  .meta({ id: 'MfPurchase' });
export type MfPurchaseDto = z.infer<typeof mfPurchase>;
