import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { integerId } from '../ids.ts';
import { PAYMENT_FAILURE_CODES } from '../payment.dto.ts';
import { PROVIDER_NAMES } from '../provider-facts.ts';
import { businessDate, timestamp } from '../time.ts';

/** The states of a debit at mandates, DEB-19. */
export const MANDATE_DEBIT_STATES = [
  'admitted',
  'notifying',
  'planned',
  'attempting',
  'succeeded',
  'failed',
  'cancelled',
  'released',
] as const;

/** The states of one attempt of a debit, DEB-20. */
export const DEBIT_ATTEMPT_STATES = ['begun', 'accepted', 'succeeded', 'failed', 'unreceived'] as const;

const money = { provider_reference: z.string(), amount: decimal, currency: z.string() };

/** Money that an attempt brought. `others` came besides it, under the same attempt. Amounts in rupees. */
const collectedMoney = z.strictObject({
  ...money,
  others: z.array(z.strictObject(money)),
  /** The paying account is not the payer's (third-party validation). */
  third_party: z.boolean(),
});
export type CollectedMoney = z.infer<typeof collectedMoney>;

/** `mandate_debit.*`: what became of the debit of a NACH payment. Payments turns it into captures and its own states. */
export const mandateDebit = z
  .strictObject({
    payment_id: integerId,
    mandate_id: integerId,
    state: z.enum(MANDATE_DEBIT_STATES),
    /** The planned day, IST. */
    debit_date: businessDate,
    /** Why it failed; null otherwise. */
    failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
    /** Only in `mandate_debit.succeeded`. The money of a debit that has failed comes in this event too. */
    collected: collectedMoney.nullable(),
  })
  .meta({ id: 'MandateDebit' });
export type MandateDebit = z.infer<typeof mandateDebit>;

const at = timestamp.nullable();

/**
 * `payment.debit_handed_over`: a debit that payments of release 0.1 has begun, for mandates, which carries it out since then. The next
 * release drops it.
 */
export const handedDebit = z
  .strictObject({
    payment_id: integerId,
    mandate_id: integerId,
    mf_investment_account: z.string().nullable(),
    debit_date: businessDate,
    execute_at: timestamp,
    is_planned: z.boolean(),
    /** Why no further attempt is started; null when one may be. */
    stop_code: z.enum(['mandate_cancelled', 'payment_failed']).nullable(),
    notice: z.strictObject({
      number: z.int().positive(),
      begun_at: at,
      /** A call for it is under way since then. */
      called_at: at,
      notified_at: at,
      reference: z.string().nullable(),
      proof: z.string().nullable(),
      execute_at: at,
      failed_at: at,
      withdrawn_at: at,
    }),
    attempts: z.array(
      z.strictObject({
        number: z.int().positive(),
        reference: z.string(),
        state: z.enum(DEBIT_ATTEMPT_STATES),
        started_at: timestamp,
        called_at: timestamp,
        accepted_at: at,
        ended_at: at,
        failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
      }),
    ),
  })
  .meta({ id: 'HandedDebit' });
export type HandedDebit = z.infer<typeof handedDebit>;

/** The status of an attempt, as its provider reported it in a callback. */
const reportedAttempt = z.strictObject({
  reference: z.string(),
  status: z.enum(['waiting', 'captured', 'failed']),
  failure_code: z.enum(PAYMENT_FAILURE_CODES).nullable(),
  message: z.string().nullable(),
  collected: collectedMoney.nullable(),
});

/** Whether a notice reached the investor, or the investor refuses its debit, as its provider reported it in a callback. */
const reportedNotice = z.strictObject({
  number: z.int().positive(),
  status: z.enum(['delivered', 'failed', 'opted_out']),
  proof: z.string().nullable(),
  at: timestamp.nullable(),
  message: z.string().nullable(),
});

/**
 * `payment.debit_fact`: what payments learned about a debit: a state of its order, or a callback of the provider. At most one of
 * the three parts is set. Without one the provider is asked.
 */
export const debitFact = z
  .strictObject({
    payment_id: integerId,
    mandate_id: integerId,
    /** `waiting`: the payment was stored, and the order is not ready; `ready`: the debit may start; `ended`: it takes no more money. */
    order: z.enum(['waiting', 'ready', 'ended']).nullable(),
    /** The provider that reported; null for a state of the order. */
    provider_name: z.enum(PROVIDER_NAMES).nullable(),
    attempt: reportedAttempt.nullable(),
    notice: reportedNotice.nullable(),
  })
  .meta({ id: 'DebitFact' });
export type DebitFact = z.infer<typeof debitFact>;
