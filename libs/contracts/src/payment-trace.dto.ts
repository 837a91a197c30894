import { z } from 'zod';
import { decimal } from './decimal.ts';
import { integerId } from './ids.ts';
import {
  PAYMENT_FAILURE_CODES,
  PAYMENT_STATUSES,
  PAYMENT_TYPES,
  REFUND_REASONS,
  REFUND_STATUSES,
} from './payment.dto.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';
import { timestamp } from './time.ts';

/**
 * How a provider answered. `answered`: it reported the state; `refused`: it rejected the call; `not_found`: it never received the call.
 * After any other the call is repeated; after `not_sent` and `too_many_requests` the provider certainly did nothing.
 */
export const PROVIDER_ANSWERS = [
  'answered',
  'refused',
  'not_found',
  'no_answer',
  'not_understood',
  'too_many_requests',
  'not_sent',
] as const;
export type ProviderAnswer = (typeof PROVIDER_ANSWERS)[number];

/** The last answer to a call. `text`: the reported status, a failure code, an HTTP status or why there was no answer; at most 200 characters. */
const lastAnswer = z
  .strictObject({
    call: z.string(),
    outcome: z.enum(PROVIDER_ANSWERS),
    text: z.string().max(200).nullable(),
    at: timestamp,
  })
  .meta({ id: 'LastProviderAnswer' });

/**
 * The progress of a call to the provider. `reference` is our id for it at the provider. `attempts` counts the calls sent;
 * it and the other two are null where none was recorded. `next_try_at` is null when no call is planned.
 */
const pursuit = {
  reference: z.string(),
  attempts: z.int().nonnegative().nullable(),
  last_tried_at: timestamp.nullable(),
  next_try_at: timestamp.nullable(),
  last_answer: lastAnswer.nullable(),
};
const amc_order_ids = z.array(integerId);

const tracedOrder = z
  .strictObject({
    old_id: integerId,
    id: z.string(),
    amount: decimal,
    /** The last state that payments received; null when it received none. */
    state: z.string().nullable(),
    /** Whether this payment still holds the order. */
    live: z.boolean(),
  })
  .meta({ id: 'TracedOrder' });

const tracedCapture = z
  .strictObject({
    provider_reference: z.string(),
    amount: decimal,
    currency: z.string(),
    captured_at: timestamp,
    amc_order_ids,
  })
  .meta({ id: 'TracedCapture' });

const tracedTransfer = z
  .strictObject({
    ...pursuit,
    amount: decimal,
    initiated_at: timestamp.nullable(),
    /** When the gateway accepted it; after that it is polled, not sent. */
    accepted_at: timestamp.nullable(),
    settled_at: timestamp.nullable(),
    amc_order_ids,
  })
  .meta({ id: 'TracedTransfer' });

const tracedRefund = z
  .strictObject({
    ...pursuit,
    amount: decimal,
    reason: z.enum(REFUND_REASONS),
    status: z.enum(REFUND_STATUSES),
    failure_code: z.string().nullable(),
    /** Whether the provider accepted it; if so, it is polled, not sent. */
    accepted: z.boolean(),
    returned_by: z.enum(['provider', 'registrar']),
    created_at: timestamp,
    amc_order_ids,
  })
  .meta({ id: 'TracedRefund' });

const tracedExecution = z
  .strictObject({
    ...pursuit,
    number: z.int().positive(),
    /** Null while it is only planned. */
    started_at: timestamp.nullable(),
    accepted_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
    amc_order_ids,
  })
  .meta({ id: 'TracedExecution' });

/** `GET /internal/mandates/debits/:payment_id/trace?tenant=` (mandates): the part of a trace that mandates knows; 404 without a debit. */
export const tracedDebit = z
  .strictObject({
    execute_at: timestamp,
    notice: z.strictObject({
      ...pursuit,
      notified_at: timestamp.nullable(),
      failed_at: timestamp.nullable(),
      withdrawn_at: timestamp.nullable(),
      /** When the investor refused the debit (DEB-21). Mandates of the release before does not report it. */
      opted_out_at: timestamp.nullable().default(null),
    }),
    executions: z.array(tracedExecution),
  })
  .meta({ id: 'TracedDebit' });

export type TracedDebit = z.infer<typeof tracedDebit>;

const tracedStep = z
  .strictObject({ step: z.string(), from: z.string(), to: z.string(), at: timestamp })
  .meta({ id: 'TracedStep' });

/** `GET /admin/payments/:id/trace`: all that an operator needs to examine a stuck payment. No personal data, no secrets. */
export const paymentTrace = z
  .strictObject({
    object: z.literal('payment_trace'),
    id: integerId,
    tenant: z.string(),
    payment_type: z.enum(PAYMENT_TYPES),
    status: z.enum(PAYMENT_STATUSES),
    failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
    amount: decimal,
    received_amount: decimal,
    refunded_amount: decimal,
    method: z.string().nullable(),
    provider_name: z.enum(PROVIDER_NAMES),
    mandate_id: integerId.nullable(),
    source_ref_id: z.string().nullable(),
    created_at: timestamp,
    submitted_at: timestamp.nullable(),
    debit_confirmed_at: timestamp.nullable(),
    transfer_initiated_at: timestamp.nullable(),
    settled_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    rejected_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    orders: z.array(tracedOrder),
    /** The investor's payment or authorisation at the provider; null for a debit. */
    collection: z
      .strictObject({ ...pursuit, amc_order_ids })
      .meta({ id: 'TracedCollection' })
      .nullable(),
    /** Null unless the payment is a debit. */
    debit: tracedDebit.nullable(),
    captures: z.array(tracedCapture),
    /** Null until it starts. */
    transfer: tracedTransfer.nullable(),
    refunds: z.array(tracedRefund),
    /** The newest 200, in order. The creation is not a step. */
    history: z.array(tracedStep),
  })
  .meta({ id: 'PaymentTrace' });
export type PaymentTraceDto = z.infer<typeof paymentTrace>;
