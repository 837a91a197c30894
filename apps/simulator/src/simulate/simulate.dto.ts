import { businessDate, PAYMENT_FAILURE_CODES, rupees } from '@fundrail/contracts';
import { z } from 'zod';

export const PAYMENT_OUTCOMES = [
  'SUCCESS',
  'PAID_AGAIN',
  'FAILED',
  'TRANSFER_REJECTED',
  'OPTED_OUT',
] as const;
export const PAYING_ACCOUNTS = ['investor', 'third_party'] as const;
export const MANDATE_OUTCOMES = [
  'APPROVED',
  'REJECTED',
  'PAUSED',
  'ACTIVE',
  'CANCELLED',
  'RECEIVED',
  'SUBMITTED',
] as const;
/** Not a step: the mandate stays active, with other terms. */
export const MODIFIED = 'MODIFIED';
export const ORDER_OUTCOMES = ['successful', 'failed', 'reversed'] as const;
const failureCode = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/, 'must be lower-case letters, digits and underscores');

/** A request whose `status` may be written in any letter case (SAND-10); `words` are those of the schema. */
function inAnyCase<S extends z.ZodType>(words: readonly string[], request: S) {
  return z.preprocess((body) => {
    if (typeof body !== 'object' || body === null || !('status' in body)) return body;
    const { status } = body;
    if (typeof status !== 'string') return body;
    return { ...body, status: words.find((word) => word.toLowerCase() === status.toLowerCase()) ?? status };
  }, request);
}

const simulatePayment = z
  .discriminatedUnion('status', [
    z
      .strictObject({
        status: z.literal('SUCCESS'),
        payer: z
          .enum(PAYING_ACCOUNTS)
          .nullish()
          .describe('The owner of the paying account. Default: the investor'),
      })
      .meta({ id: 'SimulateSuccess' }),
    z
      .strictObject({ status: z.literal('PAID_AGAIN').describe('A second capture of a paid payment') })
      .meta({ id: 'SimulatePaidAgain' }),
    z
      .strictObject({ status: z.literal('FAILED'), failure_code: z.enum(PAYMENT_FAILURE_CODES).nullish() })
      .meta({ id: 'SimulateFailure' }),
    z
      .strictObject({ status: z.literal('TRANSFER_REJECTED'), failure_code: failureCode.nullish() })
      .meta({ id: 'SimulateRejectedTransfer' }),
    z
      .strictObject({
        status: z
          .literal('OPTED_OUT')
          .describe('The payer refuses this debit of a UPI mandate, and keeps the mandate'),
      })
      .meta({ id: 'SimulateOptOut' }),
  ])
  .meta({ id: 'SimulatePaymentRequest' });

/** `POST /api/pg/simulate/payments/:id` (SAND-7). */
export const simulatePaymentRequest = inAnyCase(PAYMENT_OUTCOMES, simulatePayment);

const stepTo = <S extends string>(status: S) => z.strictObject({ status: z.literal(status) });
/** Steps of the upstream (COMP-11): those that follow by themselves here once the money has come, and two ends. */
const UPSTREAM_STEPS = [
  ...[stepTo('PENDING'), stepTo('SUBMITTED'), stepTo('INITIATED'), stepTo('APPROVED')],
  ...[stepTo('REJECTED'), stepTo('TIMEDOUT')],
] as const;
/** The same of a client of the upstream, with its steps too. */
export const simulateUpstreamPayment = inAnyCase(
  [...PAYMENT_OUTCOMES, ...UPSTREAM_STEPS.map((step) => step.shape.status.value)],
  z.discriminatedUnion('status', [...simulatePayment.options, ...UPSTREAM_STEPS]),
);
export type SimulatePaymentRequest = z.output<typeof simulateUpstreamPayment>;

/** The simulated outcome. The payment itself changes with the provider's callback. */
export const simulatedPayment = z
  .strictObject({ id: z.int(), status: z.enum(PAYMENT_OUTCOMES) })
  .meta({ id: 'SimulatedPayment' });

const simulateMandate = z
  .discriminatedUnion('status', [
    z.strictObject({ status: z.enum(MANDATE_OUTCOMES) }).meta({ id: 'SimulateMandateStep' }),
    z
      .strictObject({
        status: z.literal(MODIFIED).describe('The payer changes the mandate at its issuer'),
        mandate_limit: rupees.nullish(),
        valid_to: businessDate.nullish(),
      })
      .meta({ id: 'SimulateModification' }),
  ])
  .meta({ id: 'SimulateMandateRequest' });

/** `POST /api/pg/simulate/mandates/:id` (SAND-8). */
export const simulateMandateRequest = inAnyCase([...MANDATE_OUTCOMES, MODIFIED], simulateMandate);

/** The same of a client of the upstream, whose first step changes nothing (COMP-13). */
export const simulateUpstreamMandate = inAnyCase(
  [...MANDATE_OUTCOMES, MODIFIED, 'CREATED'],
  z.discriminatedUnion('status', [...simulateMandate.options, stepTo('CREATED')]),
);
export type SimulateMandateRequest = z.output<typeof simulateUpstreamMandate>;

/** The simulated step. The mandate itself changes with the provider's callback. */
export const simulatedMandate = z
  .strictObject({ id: z.int(), status: z.enum([...MANDATE_OUTCOMES, MODIFIED]) })
  .meta({ id: 'SimulatedMandate' });

const simulateOrder = z
  .strictObject({ status: z.enum(ORDER_OUTCOMES), failure_code: failureCode.nullish() })
  .refine((request) => request.status !== 'successful' || !request.failure_code, {
    path: ['failure_code'],
    message: 'must be left out when status is successful',
  })
  .meta({ id: 'SimulateOrderRequest' });

/** `POST /api/oms/simulate/orders/:old_id` (SAND-9). */
export const simulateOrderRequest = inAnyCase(ORDER_OUTCOMES, simulateOrder);

/** Steps of the upstream that an order takes by itself here (COMP-14). */
export const UPSTREAM_ORDER_STEPS = ['payment_confirmed', 'submitted'] as const;

/** The same of a client of the upstream, with its steps too. */
export const simulateUpstreamOrder = inAnyCase(
  [...ORDER_OUTCOMES, ...UPSTREAM_ORDER_STEPS],
  z.union([simulateOrder, z.strictObject({ status: z.enum(UPSTREAM_ORDER_STEPS) })]),
);
export type SimulateOrderRequest = z.output<typeof simulateUpstreamOrder>;

export const simulatedOrder = z
  .strictObject({ old_id: z.int(), status: z.enum(ORDER_OUTCOMES) })
  .meta({ id: 'SimulatedOrder' });
