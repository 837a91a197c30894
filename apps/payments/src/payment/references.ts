/** Digits of the payment id in a reference: fixed, so that references sort and are read back without doubt. */
const ID_DIGITS = 12;
const REFUND_DIGITS = 3;
const REFERENCE = /^([PTR])(\d{12})(\d{3})?$/;

/** Ours at the provider, and UPI's `tr`: at most 35 alphanumerics. */
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

/** An attempt of a debit, `number` from 1: its own key at the provider. */
export function attemptReference(id: number, number: number): string {
  return `${paymentReference(id)}A${number}`;
}

/** The payment that a reference of ours belongs to, or null when it is not of ours. */
export function paymentOfReference(reference: string): number | null {
  const match = REFERENCE.exec(reference);
  if (!match || (match[1] === 'R') !== (match[3] !== undefined)) return null;
  return Number(match[2]);
}
