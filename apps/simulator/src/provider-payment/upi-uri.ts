import type { Decimal } from '@fundrail/contracts';

// The operator's simulated bank account: a validated handle of a bank that does not exist, and the merchant category of securities brokers
// (MCC 6211), which NPCI requires in `mc`.
export const PAYEE_VPA = 'fundrail.mf@validsandbox';
export const MERCHANT_CATEGORY = '6211';

/** The NPCI UPI linking URI of FLOW-8: percent-encoded, `am` with two decimals, `tr` our reference. */
export function upiPayUri(payment: {
  reference: string;
  payment_id: number | string;
  amount: Decimal;
  payee_name: string;
}): string {
  return linkingUri({
    pa: PAYEE_VPA,
    pn: payment.payee_name,
    mc: MERCHANT_CATEGORY,
    tr: payment.reference,
    tn: `Payment ${payment.payment_id}`,
    am: payment.amount.toFixed2(),
    cu: 'INR',
  });
}

/** A URI with these fields, in order, that UPI apps open. */
export function linkingUri(fields: Readonly<Record<string, string>>): string {
  // `@` is legal in a query (RFC 3986 §3.4), and UPI apps expect it in `pa`. A space must be %20, never `+`.
  const encoded = (text: string) => encodeURIComponent(text).replaceAll('%40', '@');
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encoded(value)}`);
  return `upi://pay?${query.join('&')}`;
}
