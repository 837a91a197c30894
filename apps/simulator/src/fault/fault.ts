import { z } from 'zod';

/**
 * The operations of gatewaypoa that faults can affect: its calls, by name, and its four kinds of callbacks. `debit_result` is the bank's
 * result of an accepted debit: with `delay` it comes later (business time), with `drop` only when a test simulates it.
 */
export const GATEWAYPOA_OPERATIONS = [
  'review',
  'submit',
  'order_status',
  'plan_review',
  'plan_register',
  'plan_status',
  'payment',
  'collect',
  'payment_status',
  'cancel',
  'transfer',
  'transfer_status',
  'refund',
  'refund_status',
  'authorisation',
  'authorisation_collect',
  'authorisation_status',
  'authorisation_cancel',
  'mandate_status',
  'revoke',
  'notify',
  'withdraw',
  'execute',
  'debit_status',
  'debit_result',
  'callback_orders',
  'callback_payments',
  'callback_mandates',
  'callback_plans',
] as const;

/** The same at sdkvendor. `payment` starts an attempt of any kind. Lists and single objects are separate operations. */
export const SDKVENDOR_OPERATIONS = [
  'order',
  'order_list',
  'order_status',
  'order_payments',
  'payment',
  'payment_list',
  'payment_status',
  'refund',
  'refund_list',
  'refund_status',
  'customer',
  'token_status',
  'token_cancel',
  'recurring',
  'debit_result',
  'callback_payments',
  'callback_mandates',
] as const;

/** An affected operation and its provider. */
export type Operation =
  | { readonly target: 'gatewaypoa'; readonly operation: (typeof GATEWAYPOA_OPERATIONS)[number] }
  | { readonly target: 'sdkvendor'; readonly operation: (typeof SDKVENDOR_OPERATIONS)[number] };

export const FAULT_KINDS = [
  'delay',
  'drop',
  'duplicate',
  'reorder',
  'status_500',
  'nonsense',
  'plain_handle',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

const OPERATIONS: Record<'gatewaypoa' | 'sdkvendor', readonly string[]> = {
  gatewaypoa: GATEWAYPOA_OPERATIONS,
  sdkvendor: SDKVENDOR_OPERATIONS,
};

// The longest time to hold a connection. A bank's result takes up to 36 hours (DEB-14), so the longest delay exceeds that.
const LONGEST_CALL_MS = 120_000;
const LONGEST_RESULT_MS = 48 * 3_600_000;

/** `POST /sandbox/faults` (SAND-12). */
export const faultRequest = z
  .strictObject({
    target: z.enum(['gatewaypoa', 'sdkvendor']),
    operation: z
      .string()
      .meta({ examples: [...new Set([...GATEWAYPOA_OPERATIONS, ...SDKVENDOR_OPERATIONS])] }),
    kind: z.enum(FAULT_KINDS),
    /** How many of the next calls or callbacks it affects. */
    times: z.int().min(1).max(1000),
    /** For `delay` and `reorder`, in milliseconds; a bank may take up to 48 hours for a `debit_result`. */
    delay_ms: z.int().min(0).max(LONGEST_RESULT_MS).nullish(),
  })
  .refine((fault) => OPERATIONS[fault.target].includes(fault.operation), {
    path: ['operation'],
    message: `must be an operation of the target; gatewaypoa has ${GATEWAYPOA_OPERATIONS.join(', ')}; sdkvendor has ${SDKVENDOR_OPERATIONS.join(', ')}`,
  })
  .refine(({ operation, delay_ms }) => operation === 'debit_result' || (delay_ms ?? 0) <= LONGEST_CALL_MS, {
    path: ['delay_ms'],
    message: `must be at most ${LONGEST_CALL_MS}`,
  })
  .meta({ id: 'SandboxFaultRequest' });
export type FaultRequest = z.output<typeof faultRequest>;

/** A fault that was stored. */
export const faultObject = z
  .strictObject({
    object: z.literal('sandbox_fault'),
    id: z.int(),
    target: z.string(),
    operation: z.string(),
    kind: z.enum(FAULT_KINDS),
    times: z.int(),
    delay_ms: z.int().nullable(),
  })
  .meta({ id: 'SandboxFault' });
