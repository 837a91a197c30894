import type { Decimal } from '@fundrail/contracts';
import { randomInt } from 'node:crypto';
import { linkingUri, MERCHANT_CATEGORY } from '../provider-payment/upi-uri.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// As in the examples of razorpay.com/docs/payments/payment-gateway/s2s-integration/payment-methods/upi/intent.
const TR_LENGTH = 15;
const PAYEE_VPA = 'fundrail@razorpay';

/** A reference as Razorpay draws one for each attempt. */
export function drawTr(): string {
  return Array.from({ length: TR_LENGTH }, () => LETTERS[randomInt(LETTERS.length)] ?? '0').join('');
}

/** The link of an intent as Razorpay draws it: a `tr` of its own for each attempt, and no more decimals than are needed. */
export function intentLink(order: { readonly payee_name: string; readonly amount: Decimal }): string {
  const tr = drawTr();
  return linkingUri({
    ...{ pa: PAYEE_VPA, pn: order.payee_name, tr, tn: 'razorpay' },
    ...{ am: order.amount.toFixed2().replace(/\.?0+$/, ''), cu: 'INR', mc: MERCHANT_CATEGORY },
  });
}
