import { z } from 'zod';

/** The mandate part of gatewaypoa's interface, with the rules of `wire.ts`. Amounts are whole paise, dates are Indian. */
const paise = z.int().nonnegative();
const reference = z.string().regex(/^[A-Za-z0-9]{1,35}$/);
const failed = z.string().nullable();
const instant = z.iso.datetime({ offset: true });

/** The body of `POST /mandates/authorisations`: what the investor must agree to. */
export const authorisationRequest = z.object({
  reference,
  payment_id: z.int().positive(),
  mandate_id: z.int().positive(),
  tenant: z.string().min(1),
  mandate_ref: z.string().min(1),
  mandate_type: z.enum(['UPI', 'E_MANDATE']),
  /** The name that the investor sees; default: the account's own. */
  payee_name: z.string().min(1).max(99).optional(),
  limit_paise: paise.min(1),
  valid_from: z.iso.date(),
  valid_to: z.iso.date(),
  payer: z.object({
    account_number: z.string(),
    ifsc_code: z.string(),
    name: z.string(),
    account_type: z.enum(['savings', 'current', 'nre', 'nro']),
  }),
  expires_at: instant,
  /** NPCI's codes, which the URI carries. */
  purpose: z.string().regex(/^[A-Z0-9]{2}$/),
  mode: z.string().regex(/^[0-9]{2}$/),
});
export type AuthorisationRequest = z.output<typeof authorisationRequest>;

/** The body of `POST /mandates/authorisations/collect`: the same, sent to a payer's VPA. */
export const authorisationCollectRequest = authorisationRequest.extend({ vpa: z.string().min(3).max(255) });
export type AuthorisationCollectRequest = z.output<typeof authorisationCollectRequest>;

/** What both a payment and an authorisation have. A collect request has no URI: it was sent to the payer's app. */
export const registered = z.object({
  reference: z.string(),
  upi_uri: z.string().startsWith('upi://').nullable(),
});
const known = { mandate_token: z.string().min(1).nullable(), umrn: z.string().min(1).nullable() };
const refused = { failure_code: failed, failure_message: z.string().nullable() };

/** An authorisation as gatewaypoa returns it and sends it in callbacks. `umrn` is NPCI's number of the mandate. */
export const authorisationObject = z.discriminatedUnion('status', [
  registered.extend({ status: z.literal('awaiting_payer') }),
  registered.extend({ status: z.literal('received'), ...known }),
  registered.extend({ status: z.literal('submitted'), ...known }),
  registered.extend({
    status: z.literal('approved'),
    provider_reference: z.string().min(1),
    mandate_token: z.string().min(1),
    umrn: known.umrn,
  }),
  registered.extend({ status: z.literal('declined'), ...refused }),
  registered.extend({ status: z.literal('rejected'), ...refused }),
  registered.extend({ status: z.literal('expired') }),
  registered.extend({ status: z.literal('cancelled') }),
]);
export type AuthorisationObject = z.output<typeof authorisationObject>;

/** An authorised mandate, with the limit and the last day that the issuer has now; both may be omitted. */
export const mandateObject = z.object({
  mandate_token: z.string().min(1),
  status: z.enum(['active', 'paused', 'revoked', 'expired', 'rejected']),
  limit_paise: paise.min(1).nullish(),
  valid_to: z.iso.date().nullish(),
});
export type MandateObject = z.output<typeof mandateObject>;

const debitOf = z.object({
  reference,
  payment_reference: reference,
  payment_id: z.int().positive(),
  tenant: z.string().min(1),
  mandate_token: z.string().min(1),
  amount_paise: paise.min(1),
  execute_at: instant,
});

/** What the investor reads besides amount and time. Our release before did not send it. */
const noticeFacts = z.object({
  merchant: z.string().min(1).nullish(),
  mandate_ref: z.string().min(1).nullish(),
  reason: z.string().min(1).nullish(),
});

/** The body of `POST /debits/notices`: the amount that the investor is notified of, when it will be debited, and the facts. */
export const noticeRequest = debitOf.extend(noticeFacts.shape);
export type NoticeRequest = z.output<typeof noticeRequest>;

export const noticeObject = z.object({
  notice_reference: z.string().min(1),
  status: z.enum(['sent', 'withdrawn', 'opted_out']),
  sent_at: instant,
  execute_at: instant,
  amount_paise: paise,
  ...noticeFacts.shape,
});
export type NoticeObject = z.output<typeof noticeObject>;

/** A notice in a callback, which has another status than the call's answer: the investor refuses its debit. */
export const refusedNotice = z.object({
  reference,
  payment_reference: reference,
  status: z.literal('opted_out'),
});

/** The body of `POST /debits`: one attempt. An e-mandate's has no notice. */
export const debitRequest = debitOf.extend({
  notice_reference: z.string().min(1).nullable(),
  attempt: z.int().min(1).max(4),
});
export type DebitRequest = z.output<typeof debitRequest>;

const attempted = z.object({ reference: z.string().min(1), payment_reference: z.string().min(1) });

/** An attempt as gatewaypoa returns it and sends it in callbacks. `amount_paise` and `currency` are those actually received. */
export const debitObject = z.discriminatedUnion('status', [
  attempted.extend({ status: z.literal('processing') }),
  attempted.extend({
    status: z.literal('captured'),
    provider_reference: z.string().min(1),
    amount_paise: paise,
    currency: z.string(),
  }),
  attempted.extend({ status: z.literal('failed'), ...refused }),
]);
export type DebitObject = z.output<typeof debitObject>;
