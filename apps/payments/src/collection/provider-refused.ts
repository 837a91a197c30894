import { ApiError, type PaymentFailureCode } from '@fundrail/contracts';

/** A provider's refusal of a creation: our failure code and the provider's message. */
export interface Refusal {
  readonly failure_code: PaymentFailureCode;
  readonly message: string;
}

const MAX_REASON_LENGTH = 200;
const NO_REASON = 'The payment provider gave no reason';

/**
 * 422 `PROVIDER_REFUSED`: the provider would refuse the same request again, so the client must change it (ERR-8). It contains the
 * failure code, because the payment ends with that code in the same request.
 */
export class ProviderRefused extends ApiError {
  readonly failure_code: PaymentFailureCode;

  constructor({ failure_code, message }: Refusal) {
    super('PROVIDER_REFUSED', `The payment provider refused the request: ${shownReason(message)}`);
    this.failure_code = failure_code;
  }
}

/**
 * A provider's message as clients see it: one line of at most 200 characters, without anything that identifies a person or an object:
 * addresses (e-mail, UPI ID, URL), numbers of five digits and more, and ids such as `order_MkQ…`.
 */
export function shownReason(message: string): string {
  const line = message
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/\S+@\S*|\bhttps?:\/\/\S+/giu, '…')
    .replace(/\b[a-z]+_[A-Za-z0-9]{6,}\b/gu, '…')
    .replace(/\d(?:[ -]?\d){4,}/gu, '…')
    .replace(/[<>]/gu, '')
    .trim();
  if (!/[\p{L}]/u.test(line)) return NO_REASON;
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line;
}
