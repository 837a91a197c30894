import { z } from 'zod';
import { integerId } from './ids.ts';
import { PAYMENT_STATUSES, PAYMENT_TYPES, PROVIDER_NAMES } from './payment.dto.ts';
import { plainText } from './text.ts';
import { businessDate } from './time.ts';

/** Orders that one payment may cover (contract §3 "Rules of creation"). */
export const MOST_ORDERS_OF_A_PAYMENT = 10;
/** What every browser and proxy takes as an address. */
const LONGEST_URL = 2048;
const LONGEST_SOURCE_REF = 100;
/** NPCI's UPI linking specification allows a payment address of 255 characters. */
const LONGEST_VPA = 255;
/** `name@handle`: letters, digits, `.`, `-`, `_` before the sign; a handle that begins with a letter after it. */
export const vpa = z
  .string()
  .max(LONGEST_VPA)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}@[A-Za-z][A-Za-z0-9]{1,63}$/,
    'must be a UPI ID such as name@bank',
  );
/** Names of the machine itself, on which a client under development may take the postback without TLS. */
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why an address may not take the postback, or null. `http` is for localhost in the sandbox only (contract §3 "Postback"). */
export function postbackUrlFault(text: string, sandbox: boolean): string | null {
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  if (url.username || url.password) return 'must not contain credentials';
  if (url.protocol === 'https:') return null;
  const local = url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname);
  if (local && sandbox) return null;
  return sandbox ? 'must be https, or http to localhost' : 'must be https';
}

/** Where the investor's browser goes afterwards, as far as the address alone tells. */
export const postbackUrl = plainText(LONGEST_URL).superRefine((text, context) => {
  const fault = postbackUrlFault(text, true);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

const distinctOrders = z
  .array(integerId)
  .min(1)
  .max(MOST_ORDERS_OF_A_PAYMENT)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name an order twice');

/** The UPI object of a request: `type` in any case (contract §3). */
export const upiRequest = z
  .strictObject({
    type: z
      .string()
      .max(16)
      .meta({
        enum: ['URI', 'uri', 'COLLECT', 'collect'],
        description:
          '`uri` for a UPI app or a QR code, `collect` for a request to the VPA; in any case of letters.',
      })
      .transform((type) => type.toLowerCase())
      .pipe(z.enum(['uri', 'collect'])),
    vpa: vpa.nullish(),
  })
  .superRefine((upi, context) => {
    if (upi.type === 'collect' && upi.vpa == null)
      context.addIssue({ code: 'custom', path: ['vpa'], message: 'is required when upi.type is collect' });
    if (upi.type === 'uri' && upi.vpa != null)
      context.addIssue({ code: 'custom', path: ['vpa'], message: 'is taken only when upi.type is collect' });
  });

/** `POST /api/pg/payments/netbanking`. Orders and the bank account are named by their `old_id`s. */
export const createPayment = z
  .strictObject({
    amc_order_ids: distinctOrders,
    /** May be left out only when the tenant has a `default_postback_url`. */
    payment_postback_url: postbackUrl.nullish(),
    method: z.enum(['UPI', 'NETBANKING']).nullish(),
    upi: upiRequest.nullish(),
    /** Left out, it is the investment account's payout bank account. */
    bank_account_id: integerId.nullish(),
    provider_name: z.enum(PROVIDER_NAMES).nullish(),
    source_ref_id: plainText(LONGEST_SOURCE_REF).nullish(),
  })
  .superRefine(({ method, upi }, context) => {
    if (method === 'UPI' && !upi)
      context.addIssue({ code: 'custom', path: ['upi'], message: 'is required when method is UPI' });
    if (method !== 'UPI' && upi)
      context.addIssue({ code: 'custom', path: ['method'], message: 'must be UPI when upi is given' });
  })
  .meta({ id: 'CreatePayment' });
export type CreatePaymentRequest = z.output<typeof createPayment>;

/** `POST /api/pg/payments/:id/refunds` (operator): the shares of these orders, or whatever is not refunded yet. */
export const refundPayment = z
  .strictObject({ amc_order_ids: distinctOrders.optional() })
  .meta({ id: 'RefundPayment' });
export type RefundPaymentRequest = z.output<typeof refundPayment>;

/** `11,12,13` in a query (contract §10 "Idempotency"). */
const orderIdList = z
  .string()
  .max(400)
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be order ids, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(integerId).max(20));

/** Filters of `GET /api/pg/payments`; `from` and `to` are IST dates of creation, both inclusive; none when `to` comes first. */
export const paymentFilters = {
  from: businessDate.optional(),
  to: businessDate.optional(),
  payment_type: z.enum(PAYMENT_TYPES).optional(),
  payment_status: z.enum(PAYMENT_STATUSES).optional(),
  amc_order_ids: orderIdList.optional(),
  source_ref_id: plainText(LONGEST_SOURCE_REF).optional(),
};
export type PaymentFilters = z.output<z.ZodObject<typeof paymentFilters>>;
