import { z } from 'zod';

/** What can be disturbed at gatewaypoa: its calls, by name, and its two kinds of callbacks. */
export const GATEWAYPOA_OPERATIONS = [
  'review',
  'submit',
  'order_status',
  'payment',
  'collect',
  'payment_status',
  'cancel',
  'transfer',
  'transfer_status',
  'refund',
  'refund_status',
  'callback_orders',
  'callback_payments',
] as const;
export type Operation = (typeof GATEWAYPOA_OPERATIONS)[number];

export const FAULT_KINDS = ['delay', 'drop', 'duplicate', 'reorder', 'status_500', 'nonsense'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Which operations a target has. `sdkvendor` gets its own with its adapter; until then each is a 400. */
const OPERATIONS: Record<'gatewaypoa' | 'sdkvendor', readonly string[]> = {
  gatewaypoa: GATEWAYPOA_OPERATIONS,
  sdkvendor: [],
};

/** `POST /sandbox/faults` (contract §10 "Sandbox"). */
export const faultRequest = z
  .strictObject({
    target: z.enum(['gatewaypoa', 'sdkvendor']),
    operation: z.string().meta({ examples: [...GATEWAYPOA_OPERATIONS] }),
    kind: z.enum(FAULT_KINDS),
    /** How many of the next calls or callbacks it strikes. */
    times: z.int().min(1).max(1000),
    /** For `delay` and `reorder`, in milliseconds. */
    delay_ms: z.int().min(0).max(120_000).nullish(),
  })
  .refine((fault) => OPERATIONS[fault.target].includes(fault.operation), {
    path: ['operation'],
    message: `must be an operation of the target; gatewaypoa has ${GATEWAYPOA_OPERATIONS.join(', ')}`,
  })
  .meta({ id: 'SandboxFaultRequest' });
export type FaultRequest = z.output<typeof faultRequest>;

/** A fault as it was taken. */
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
