import { z } from 'zod';
import { decimal } from '../decimal.ts';
import { fieldError } from '../errors.ts';
import { integerId, prefixedId } from '../ids.ts';
import { authoriseMandate } from '../mandate-payment.dto.ts';
import { MANDATE_STATUSES, MANDATE_TYPES } from '../mandate.dto.ts';
import { PROVIDER_NAMES } from '../provider-facts.ts';
import { businessDate } from '../time.ts';
import { MOST_DEBITS_AT_ONCE } from './debits.dto.ts';

/** `POST /internal/authorisations` (payments, in the sandbox): starts the authorisation of a mandate that is simulated before its client asked for one. */
export const simulatedAuthorisation = z.strictObject({
  tenant: z.string(),
  authorisation: authoriseMandate,
});
export type SimulatedAuthorisation = z.infer<typeof simulatedAuthorisation>;
export const startedAuthorisation = z.strictObject({ id: integerId });

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
  /** The number of the mandate's last event: of two copies of its terms, the one with the higher number is the newer. The release before has none. */
  event_seq: z.int().optional(),
});
export type MandateFacts = z.infer<typeof mandateFacts>;

/** The answer of `GET /internal/mandates/:id`: with the rules of its debits, which the investor agrees to (DEB-8, DEB-10, DEB-12). */
export const mandateTerms = mandateFacts.extend({
  debits: z.strictObject({
    /** From the notice to the debit, in full hours. */
    notice_hours: z.int(),
    most_attempts: z.int(),
    /** When an e-mandate's debits start, `HH:MM` IST. */
    emandate_from: z.string(),
    emandate_retry_days: z.int(),
  }),
});
export type MandateTerms = z.infer<typeof mandateTerms>;

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

/** The days on which a debit by e-mandate can be made. */
export const debitDay = z.enum(['business_day', 'calendar_day']);
export type DebitDay = z.infer<typeof debitDay>;

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
  /** The order's investment account, whose contacts some providers want. */
  mf_investment_account: z.string().nullish(),
  /** The tenant's choice of the days of a first debit by e-mandate; absent without one, as the release before does not know it. */
  first_on: debitDay.optional(),
  /** Sent by the release before, and not used. */
  debit_date: businessDate.optional(),
  replaces: z.array(integerId),
});
export type AdmitDebit = z.infer<typeof admitDebit>;
export const debitResult = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('admitted'),
    mandate: mandateFacts,
    /** The expected day, IST. */
    debit_date: businessDate,
  }),
  refused(['BAD_REQUEST_ERROR', 'MANDATE_NOT_APPROVED', 'MANDATE_LIMIT_EXCEEDED', 'PAYMENT_ALREADY_EXISTS']),
  later,
]);
export type DebitResult = z.infer<typeof debitResult>;

/**
 * `POST /internal/mandates/debits/batch`: the same for many, in one transaction. One result for each, in the order of the requests; those
 * about one payment or one order are decided in that order too. `unknown`: the outcome is not known, ask again.
 */
export const admitDebits = z.strictObject({ debits: z.array(admitDebit).min(1).max(MOST_DEBITS_AT_ONCE) });
export type AdmitDebits = z.infer<typeof admitDebits>;
export const debitResults = z.strictObject({
  results: z.array(z.union([debitResult, z.strictObject({ outcome: z.literal('unknown') })])),
});
export type DebitResults = z.infer<typeof debitResults>;

/** `POST /internal/mandates/debits/release`: the debit's payment is void or dead, and no call to the bank will be made for it. */
export const releaseDebit = z.strictObject({ tenant: z.string(), payment_id: integerId });
export type ReleaseDebit = z.infer<typeof releaseDebit>;

/** The most mandates in one request. */
export const MOST_MANDATES = 500;

/** `POST /internal/mandates/batch`: `GET /internal/mandates/:id` for many. A mandate that its tenant does not have is left out. */
export const askMandates = z.strictObject({
  mandates: z
    .array(z.strictObject({ tenant: z.string(), id: integerId }))
    .min(1)
    .max(MOST_MANDATES),
});
export type AskMandates = z.infer<typeof askMandates>;
export const mandatesAnswer = z.strictObject({ mandates: z.array(mandateFacts) });

/**
 * `POST /internal/mandates/debits/cancel`: the client cancels a debit. The provider is asked about an open attempt first: money that
 * it took counts. `cancelled`: nothing was or will be taken; `open`: an attempt is open, and the debit continues; `ended`: it has ended
 * otherwise, or there is none.
 */
export const cancelDebit = z.strictObject({ tenant: z.string(), payment_id: integerId });
export type CancelDebit = z.infer<typeof cancelDebit>;
export const cancelledDebit = z.strictObject({ outcome: z.enum(['cancelled', 'open', 'ended']) });
export type CancelledDebit = z.infer<typeof cancelledDebit>;

/**
 * `POST /internal/mandates/debits/ask` (mandates), for an operator: makes the question about an open execution due at once. `asked` is
 * empty when none is open, or when the question has to wait `retry_after_s`. Not idempotent: the second one within a minute waits.
 */
export const askDebit = z.strictObject({ tenant: z.string(), payment_id: integerId });
export type AskDebit = z.infer<typeof askDebit>;
export const debitAsked = z.strictObject({
  asked: z.array(z.string()),
  retry_after_s: z.int().min(1).nullable(),
});
export type DebitAsked = z.infer<typeof debitAsked>;

/**
 * `POST /internal/mandates/facts` (mandates), with a `mandateFact`: what a provider's callback to payments reported about a mandate.
 * Payments calls this before it answers the callback, so that no debit is executed after the provider knows that we received it.
 * Idempotent by the provider's event id; `mandate_fact.received` delivers the same fact again if this call fails.
 */
export const takenFactAnswer = z.strictObject({ taken: z.literal(true) });
