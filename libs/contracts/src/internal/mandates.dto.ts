import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId, prefixedId } from '../ids.ts';
import { MANDATE_STATUSES, MANDATE_TYPES } from '../mandate.dto.ts';
import { PROVIDER_NAMES } from '../provider-facts.ts';
import { businessDate } from '../time.ts';

/** What payments needs to know about a mandate. `GET /internal/mandates/:id?tenant=` (mandates); 404 for another tenant's. */
export const mandateFacts = z.strictObject({
  id: integerId,
  tenant: z.string(),
  mandate_ref: prefixedId('mandate'),
  mandate_type: z.enum(MANDATE_TYPES),
  mandate_status: z.enum(MANDATE_STATUSES),
  /** The most that one debit may take, in rupees. */
  mandate_limit: decimal,
  /** IST dates, both inclusive. */
  valid_from: businessDate,
  valid_to: businessDate,
  bank_account_id: integerId,
  /** The owner of the bank account. */
  investor_profile: prefixedId('investorProfile'),
  provider_name: z.enum(PROVIDER_NAMES),
  /** The provider's id of it; null until it is authorised. */
  mandate_token: z.string().nullable(),
  umrn: z.string().nullable(),
  provider_id: z.string().nullable(),
});
export type MandateFacts = z.infer<typeof mandateFacts>;

/**
 * A refusal by the rules of mandates. `held_by` is the payment that blocks the request, if one does. If payments knows that this
 * payment is dead, it retries with its id in `replaces` (as in `claims.dto.ts`).
 */
function refused<const C extends readonly [string, ...string[]]>(codes: C) {
  return z.strictObject({
    outcome: z.literal('refused'),
    code: z.enum(codes),
    message: z.string(),
    errors: z.array(fieldError),
    held_by: integerId.nullable(),
  });
}

/**
 * `POST /internal/mandates/authorisations` (mandates): makes the payment the one running authorisation of a CREATED mandate
 * (MAN-17). Idempotent by the payment's id. If the payment is never created, the sweep of mandates frees the authorisation
 * after it asks `/internal/payments/resolve`.
 */
export const beginAuthorisation = z.strictObject({
  tenant: z.string(),
  mandate_id: integerId,
  payment_id: integerId,
  replaces: z.array(integerId),
});
export type BeginAuthorisation = z.infer<typeof beginAuthorisation>;
export const authorisationResult = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('begun'), mandate: mandateFacts }),
  refused(['BAD_REQUEST_ERROR', 'AUTH_IN_PROGRESS', 'ILLEGAL_TRANSITION']),
]);
export type AuthorisationResult = z.infer<typeof authorisationResult>;

/** `POST /internal/mandates/authorisations/release`: compare-and-set; only for an id that is void or whose payment is dead. */
export const releaseAuthorisation = z.strictObject({
  tenant: z.string(),
  mandate_id: integerId,
  payment_id: integerId,
});
export type ReleaseAuthorisation = z.infer<typeof releaseAuthorisation>;
export const releasedAnswer = z.strictObject({ released: z.boolean() });

/**
 * The provider reported a pause, or a state that we do not understand, and got a 200, but has not confirmed the mandate's state
 * yet. Nothing is decided or written; the caller retries within seconds.
 */
const later = z.strictObject({ outcome: z.literal('later') });

/**
 * `POST /internal/mandates/debits`: admits a debit under the mandate's row lock, in one transaction with its row: APPROVED,
 * valid on the debit's date, of the same investor, within the limit, and no other live or successful debit of the same order.
 * Idempotent by the payment's id.
 */
export const admitDebit = z.strictObject({
  tenant: z.string(),
  mandate_id: integerId,
  payment_id: integerId,
  /** The order's `old_id`. */
  old_id: integerId,
  /** In rupees. */
  amount: decimal,
  /** The owner of the order's investment account. */
  investor_profile: prefixedId('investorProfile'),
  /** The planned day, IST. */
  debit_date: businessDate,
  replaces: z.array(integerId),
});
export type AdmitDebit = z.infer<typeof admitDebit>;
export const debitResult = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('admitted'), mandate: mandateFacts }),
  refused(['BAD_REQUEST_ERROR', 'MANDATE_NOT_APPROVED', 'MANDATE_LIMIT_EXCEEDED', 'PAYMENT_ALREADY_EXISTS']),
  later,
]);
export type DebitResult = z.infer<typeof debitResult>;

/** `POST /internal/mandates/debits/release`: the debit's payment is void or dead, and no call to the bank will be made for it. */
export const releaseDebit = z.strictObject({ tenant: z.string(), payment_id: integerId });
export type ReleaseDebit = z.infer<typeof releaseDebit>;

/** The most attempts of one debit: the first and up to three retries (NPCI, DEB-10). */
const MOST_DEBIT_ATTEMPTS = 4;
const DEBIT_STEPS = ['notify', 'execute'] as const;
const permitKey = {
  tenant: z.string(),
  payment_id: integerId,
  step: z.enum(DEBIT_STEPS),
  attempt: z.int().min(1).max(MOST_DEBIT_ATTEMPTS),
};

/**
 * `POST /internal/mandates/permits`: permission for one provider call, taken right before it, under the mandate's row lock. Once a
 * cancel, a pause or an expiry is committed, none is granted. The exception is an `execute` permit that is still open: it is granted
 * again to the same (payment, attempt), because the cancellation already reported it as in flight. Take it again only when the
 * outcome of its call is not known. `resend`: the provider never received that call, so nothing is in flight, and the mandate's
 * current state decides. `later`: the mandate's state is in doubt; no permit was taken, and no call may be made.
 */
export const takePermit = z.strictObject({
  ...permitKey,
  mandate_id: integerId,
  /** The day for which the attempt is planned, IST. No notice is sent for a day on which the mandate is not valid. */
  execute_on: businessDate,
  resend: z.boolean().optional(),
});
export type TakePermit = z.infer<typeof takePermit>;
/** The debit's failure code. */
const permitRefusal = z.enum(['mandate_cancelled', 'mandate_limit_exceeded']);
export const permitResult = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('granted'), mandate: mandateFacts }),
  z.strictObject({ outcome: z.literal('refused'), code: permitRefusal }),
  later,
]);
export type PermitResult = z.infer<typeof permitResult>;

/** The most mandates in one request. */
export const MOST_MANDATES = 500;

/**
 * `POST /internal/mandates/batch`: `GET /internal/mandates/:id` for many. A mandate that its tenant does not have is left out.
 */
export const askMandates = z.strictObject({
  mandates: z
    .array(z.strictObject({ tenant: z.string(), id: integerId }))
    .min(1)
    .max(MOST_MANDATES),
});
export type AskMandates = z.infer<typeof askMandates>;
export const mandatesAnswer = z.strictObject({ mandates: z.array(mandateFacts) });

/** The most permits of one batch: each locks its mandate's row until all of them are written. */
const MOST_PERMITS = 256;

/**
 * `POST /internal/mandates/permits/batch`: permits for calls that are made together. Each is decided separately, under its
 * mandate's row lock; results are in the order of the request.
 */
export const takePermits = z.strictObject({ permits: z.array(takePermit).min(1).max(MOST_PERMITS) });
export type TakePermits = z.infer<typeof takePermits>;
const ofPayment = { payment_id: integerId };
const permitOfMany = z.discriminatedUnion('outcome', [
  z.strictObject({ ...ofPayment, outcome: z.literal('granted') }),
  z.strictObject({ ...ofPayment, outcome: z.literal('refused'), code: permitRefusal }),
  z.strictObject({ ...ofPayment, outcome: z.literal('later') }),
]);
export type PermitOfMany = z.infer<typeof permitOfMany>;
export const permitsAnswer = z.strictObject({ results: z.array(permitOfMany) });

/** `POST /internal/mandates/permits/close`: the call's outcome is recorded, and the call is no longer in flight. */
export const closePermit = z.strictObject(permitKey);
export type ClosePermit = z.infer<typeof closePermit>;
export const closedAnswer = z.strictObject({ closed: z.boolean() });

/**
 * `POST /internal/mandates/facts` (mandates), with a `mandateFact`: what a provider's callback to payments reported about a mandate.
 * Payments calls this before it answers the callback, so that no permit is granted after the provider knows that we received it.
 * Idempotent by the provider's event id; `mandate_fact.received` delivers the same fact again if this call fails.
 */
export const takenFactAnswer = z.strictObject({ taken: z.literal(true) });
