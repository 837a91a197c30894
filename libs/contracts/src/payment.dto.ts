import { z } from 'zod';
import { decimal } from './decimal.ts';
import { integerId } from './ids.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';
import { paymentOrMandateSdkOptions, sdkOptions } from './sdk-options.dto.ts';
import { businessDate, timestamp } from './time.ts';

/** Payment states, PAY-23. */
export const PAYMENT_STATUSES = [
  'PENDING',
  'SUBMITTED',
  'SUCCESS',
  'INITIATED',
  'APPROVED',
  'FAILED',
  'REJECTED',
] as const;
export const PAYMENT_TYPES = ['NETBANKING', 'NACH', 'AUTH_TRANSACTION'] as const;

/** Why a payment failed (PAY-28); `failed_reason` is a sentence for the investor. */
export const PAYMENT_FAILURE_CODES = [
  'payment_expired',
  'pg_payment_expired',
  'tpv_failed',
  'pg_timeout',
  'invalid_upi_id',
  'bank_not_enabled',
  'investor_bank_declined',
  'user_cancelled',
  'bank_downtime',
  'insufficient_funds',
  'upi_app_unavailable',
  'pg_server_error',
  'auth_in_progress',
  'invalid_credentials',
  'payment_failed',
  'invalid_bank_account',
  'mandate_cancelled',
  'mandate_limit_exceeded',
  'debit_opted_out',
] as const;
export type PaymentFailureCode = (typeof PAYMENT_FAILURE_CODES)[number];

export const REFUND_REASONS = [
  'late_authorization',
  'duplicate_payment',
  'order_failed',
  'order_not_confirmed',
  'transfer_rejected',
  'tpv_failed',
  'amount_mismatch',
  'operator',
] as const;
export const REFUND_STATUSES = ['CREATED', 'SUCCESSFUL', 'FAILED'] as const;

/** The UPI object of a response: `uri` is null until the order is submitted, `""` for collect (FLOW-1, FLOW-2). */
export const upi = z.strictObject({
  type: z.enum(['uri', 'collect']),
  vpa: z.string().nullable(),
  uri: z.string().nullable(),
});

/** One refund of a payment; amount in rupees (REF-1). */
export const refund = z
  .strictObject({
    reference: z.string(),
    amount: decimal,
    reason: z.enum(REFUND_REASONS),
    status: z.enum(REFUND_STATUSES),
    created_at: timestamp,
    amc_order_ids: z.array(integerId),
    /** Present only when the money is returned outside the payment provider (REF-6). */
    returned_by: z.literal('registrar').optional(),
  })
  .meta({ id: 'Refund' });

/** A payment as GET returns it and as every `payment.*` event carries it (PAY-17). */
export const payment = z
  .strictObject({
    id: integerId,
    // Events written before this field existed are read with the default, like those without `upi`.
    object: z.literal('payment').default('payment'),
    payment_type: z.enum(PAYMENT_TYPES),
    status: z.enum(PAYMENT_STATUSES),
    amount: decimal,
    debit_date: businessDate,
    amc_order_ids: z.array(integerId),
    method: z.string().nullable(),
    failed_reason: z.string().nullable(),
    failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
    created_at: timestamp,
    submitted_at: timestamp.nullable(),
    debit_confirmed_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    transfer_initiated_at: timestamp.nullable(),
    settled_at: timestamp.nullable(),
    rejected_at: timestamp.nullable(),
    from_bank_account_id: integerId,
    provider_name: z.enum(PROVIDER_NAMES),
    late_auth: z.boolean(),
    refund_reference: z.string().nullable(),
    refund_reason: z.enum(REFUND_REASONS).nullable(),
    refund_status: z.enum(REFUND_STATUSES).nullable(),
    refund_created_at: timestamp.nullable(),
    refunds: z.array(refund),
    /** Null without UPI. */
    upi: upi.nullable().default(null),
    mandate_id: integerId.nullable(),
    source_ref_id: z.string().nullable(),
  })
  .meta({ id: 'Payment' });
export type PaymentDto = z.infer<typeof payment>;

/**
 * Response of GET for one payment: the payment and, while it is PENDING, the unused parts of its checkout, so that a client can
 * recover a lost response (PAY-19). Events contain only `payment`: a token and an investor's contacts are returned only to the
 * client that requests them.
 */
export const fetchedPayment = z
  .strictObject({
    ...payment.shape,
    token_url: z.string().optional(),
    /** Of a payment, or of a mandate's authorisation. */
    sdk_options: paymentOrMandateSdkOptions.optional(),
  })
  .meta({ id: 'FetchedPayment' });
export type FetchedPaymentDto = z.infer<typeof fetchedPayment>;

/** Response of creating a payment (PAY-16). */
export const createdPayment = z
  .strictObject({
    id: integerId,
    /** Null in the UPI flows. */
    token_url: z.string().nullable(),
    /** Null without UPI. */
    upi: upi.nullable(),
    sdk_options: sdkOptions.optional(),
  })
  .meta({ id: 'CreatedPayment' });
export type CreatedPaymentDto = z.infer<typeof createdPayment>;
