/** Digits of the payment id in a reference: a fixed number, so that references sort and can be parsed. */
const ID_DIGITS = 12;
/** At least: a refund that is refused daily has a number of four digits after three years. */
const REFUND_DIGITS = 3;
const REFERENCE = /^([PTR])(\d{12})(\d{3,})?$/;

/** Our reference at the provider, and UPI's `tr`: at most 35 alphanumerics. */
export function paymentReference(id: number): string {
  return `P${String(id).padStart(ID_DIGITS, '0')}`;
}

export function transferReference(id: number): string {
  return `T${String(id).padStart(ID_DIGITS, '0')}`;
}

/** `number` counts the payment's refunds from 1. */
export function refundReference(id: number, number: number): string {
  return `R${String(id).padStart(ID_DIGITS, '0')}${String(number).padStart(REFUND_DIGITS, '0')}`;
}

/** The key of a debit's attempt at the provider; `number` counts from 1. */
export function attemptReference(id: number, number: number): string {
  return `${paymentReference(id)}A${number}`;
}

/** The reference of a debit's notice in the record of calls; `number` counts from 1. */
export function noticeReference(id: number, number: number): string {
  return `${paymentReference(id)}N${number}`;
}

/** The payment of a reference, or null when the reference is not ours. */
export function paymentOfReference(reference: string): number | null {
  const match = REFERENCE.exec(reference);
  if (!match || (match[1] === 'R') !== (match[3] !== undefined)) return null;
  return Number(match[2]);
}
