import type { Decimal } from '@fundrail/contracts';
import { linkingUri, MERCHANT_CATEGORY, PAYEE_VPA } from '../provider-payment/upi-uri.ts';
import { drawLetters } from './razorpay-id.ts';

// As in the examples of razorpay.com/docs/payments/payment-gateway/s2s-integration/payment-methods/upi/intent.
const TR_LENGTH = 15;

/** A random reference, as Razorpay creates for each attempt. */
export function drawTr(): string {
  return drawLetters(TR_LENGTH);
}

/** The link of an intent in Razorpay's form: a new `tr` for each attempt, and no trailing zeros in the amount. */
export function intentLink(order: { readonly payee_name: string; readonly amount: Decimal }): string {
  const tr = drawTr();
  return linkingUri({
    ...{ pa: PAYEE_VPA, pn: order.payee_name, tr, tn: 'razorpay' },
    ...{ am: order.amount.toFixed2().replace(/\.?0+$/, ''), cu: 'INR', mc: MERCHANT_CATEGORY },
  });
}
