import { ApiError } from '@fundrail/contracts';

/** Parses a payment's id in a path. Throws 404 for anything else. */
export function readPaymentId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new ApiError('NOT_FOUND');
  return Number(text);
}
