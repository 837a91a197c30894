import { z } from 'zod';
import { integerId, integerIdOf } from './ids.ts';
import { listDirection } from './page-size.ts';
import { PAYMENT_STATUSES, PAYMENT_TYPES } from './payment.dto.ts';
import { PROVIDER_NAMES } from './provider-facts.ts';
import { plainText, shownName } from './text.ts';
import { businessDate } from './time.ts';

/** The most orders that one payment may cover (PAY-2). */
const MOST_ORDERS_OF_A_PAYMENT = 10;
/** Every browser and proxy accepts a URL of this length. */
const LONGEST_URL = 2048;
const LONGEST_SOURCE_REF = 100;
/** The longest names in AMFI's list have about 120 characters, four lines on a phone. */
const LONGEST_DISPLAY_NAME = 120;
/** NPCI's UPI linking specification allows a payment address of 255 characters. */
const LONGEST_VPA = 255;
/** `name@handle`: letters, digits, `.`, `-`, `_` before the `@`, then a handle that begins with a letter. */
export const vpa = z
  .string()
  .max(LONGEST_VPA)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}@[A-Za-z][A-Za-z0-9]{1,63}$/,
    'must be a UPI ID such as name@bank',
  );
/** Local hosts, where a client under development may receive the postback without TLS. */
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Hosts that are safe in a Content-Security-Policy. A URL's host may contain `;`, `,` and quotes, which would end a directive. */
const PLAIN_HOST = /^[a-z0-9.:[\]-]+$/;

/** Whether the host has only letters, digits, dots, hyphens, and the characters of IPv6 addresses and ports. */
export function hasPlainHost({ host }: URL): boolean {
  return PLAIN_HOST.test(host);
}

/** Why a URL is not allowed as postback, or null. `http` is allowed only for localhost in the sandbox (PAY-8). */
export function postbackUrlFault(text: string, sandbox: boolean): string | null {
  const url = URL.parse(text);
  if (!url) return 'must be a URL';
  if (url.username || url.password) return 'must not contain credentials';
  const local = url.protocol === 'http:' && LOCAL_HOSTS.has(url.hostname);
  if (url.protocol !== 'https:' && !(local && sandbox))
    return sandbox ? 'must be https, or http to localhost' : 'must be https';
  // A browser reads `https:app` as a path on our own host.
  if (!/^https?:\/\/[^/\\]/i.test(text)) return 'must begin with https:// and a host';
  return hasPlainHost(url) ? null : 'must have a host of letters, digits, dots and hyphens';
}

/** Where the investor's browser goes afterwards; checks only the URL itself, not the tenant's mode. */
export const postbackUrl = plainText(LONGEST_URL).superRefine((text, context) => {
  const fault = postbackUrlFault(text, true);
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

const distinctOrders = z
  .array(integerIdOf('old_id', 'purchase', 'redemption'))
  .min(1)
  .max(MOST_ORDERS_OF_A_PAYMENT)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain an order twice');

/** The UPI object of a request: `type` in any case (PAY-9). */
export const upiRequest = z
  .strictObject({
    type: z
      .string()
      .max(16)
      .meta({
        enum: ['URI', 'uri', 'COLLECT', 'collect'],
        description:
          '`uri` for a UPI app or a QR code, `collect` for a request to the VPA. Upper and lower case are accepted.',
      })
      .transform((type) => type.toLowerCase())
      .pipe(z.enum(['uri', 'collect'])),
    vpa: vpa.nullish(),
  })
  .superRefine((upi, context) => {
    if (upi.type === 'collect' && upi.vpa == null)
      context.addIssue({ code: 'custom', path: ['vpa'], message: 'is required when upi.type is collect' });
    if (upi.type === 'uri' && upi.vpa != null)
      context.addIssue({
        code: 'custom',
        path: ['vpa'],
        message: 'is allowed only when upi.type is collect',
      });
  });

/** The name of an order on the payment page, instead of the name in the built-in table of schemes. */
const orderName = z.strictObject({
  amc_order_id: integerIdOf('old_id', 'purchase', 'redemption'),
  display_name: shownName(LONGEST_DISPLAY_NAME),
});
export type OrderName = z.output<typeof orderName>;

const orderNames = z.array(orderName).max(MOST_ORDERS_OF_A_PAYMENT).meta({
  description:
    'Names of orders for the payment page, such as the name of the scheme in your app. Shown only there, and not returned in any response or event.',
});

/** `POST /api/pg/payments/netbanking`. Orders and the bank account are referenced by `old_id`. */
export const createPayment = z
  .strictObject({
    amc_order_ids: distinctOrders,
    /** Optional only when the tenant has a `default_postback_url`. */
    payment_postback_url: postbackUrl.nullish(),
    /** With `UPI` and no `upi`, the hosted page offers UPI alone (FLOW-15). */
    method: z.enum(['UPI', 'NETBANKING']).nullish(),
    upi: upiRequest.nullish(),
    /** Default: the investment account's payout bank account. */
    bank_account_id: integerIdOf('old_id', 'bankAccount').nullish(),
    provider_name: z.enum(PROVIDER_NAMES).nullish(),
    source_ref_id: plainText(LONGEST_SOURCE_REF).nullish(),
    display_names: orderNames.nullish(),
  })
  .superRefine(({ amc_order_ids, display_names }, context) => {
    const named = new Set<number>();
    for (const [index, { amc_order_id: id }] of (display_names ?? []).entries()) {
      const path = ['display_names', index, 'amc_order_id'];
      if (!amc_order_ids.includes(id))
        context.addIssue({ code: 'custom', path, message: 'must be one of amc_order_ids' });
      else if (named.has(id)) context.addIssue({ code: 'custom', path, message: 'must not be listed twice' });
      named.add(id);
    }
  })
  .superRefine(({ method, upi }, context) => {
    if (method !== 'UPI' && upi)
      context.addIssue({ code: 'custom', path: ['method'], message: 'must be UPI when upi is given' });
  })
  .meta({ id: 'CreatePayment' });
export type CreatePaymentRequest = z.output<typeof createPayment>;

/** `POST /api/pg/payments/:id/refunds` (operator): the shares of these orders, or by default all that is not refunded yet. */
export const refundPayment = z
  .strictObject({ amc_order_ids: distinctOrders.optional() })
  .meta({ id: 'RefundPayment' });
export type RefundPaymentRequest = z.output<typeof refundPayment>;

/** `11,12,13` in a query (CONV-15). */
const orderIdList = z
  .string()
  .max(400)
  .regex(/^\d{1,15}(,\d{1,15})*$/, 'must be the old_id of orders, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(integerId).max(20));

/** Filters of `GET /api/pg/payments`; `from` and `to` are IST dates of creation, both inclusive; the list is empty when `to` is before `from`. */
export const paymentFilters = {
  from: businessDate.optional(),
  to: businessDate.optional(),
  payment_type: z.enum(PAYMENT_TYPES).optional(),
  payment_status: z.enum(PAYMENT_STATUSES).optional(),
  amc_order_ids: orderIdList.optional(),
  source_ref_id: plainText(LONGEST_SOURCE_REF).optional(),
  /** `asc` lists the oldest first. */
  direction: listDirection.optional(),
};
export type PaymentFilters = z.output<z.ZodObject<typeof paymentFilters>>;
