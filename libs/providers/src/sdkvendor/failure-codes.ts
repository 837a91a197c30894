import type { PaymentFailureCode } from '@fundrail/contracts';

/**
 * Razorpay's `error.reason` as our codes. Source: razorpay.com/docs/errors/payment-methods/list ("List of Errors") and
 * razorpay.com/docs/payments/payment-gateway/s2s-integration/payment-methods/upi/error-codes, which requires a match on the
 * reason and not on the code; read in November 2026.
 */
const CODES: ReadonlyMap<string, PaymentFailureCode> = new Map([
  ['insufficient_funds', 'insufficient_funds'],
  ['payment_cancelled', 'user_cancelled'],
  ['payment_timed_out', 'pg_payment_expired'],
  ['payment_collect_request_expired', 'pg_payment_expired'],
  ['request_timed_out', 'pg_timeout'],
  ['gateway_technical_error', 'pg_server_error'],
  ['server_error', 'pg_server_error'],
  ['bank_technical_error', 'bank_downtime'],
  ['issuer_technical_error', 'bank_downtime'],
  ['bank_not_enabled', 'bank_not_enabled'],
  ['bank_account_invalid', 'invalid_bank_account'],
  ['account_does_not_exist', 'invalid_bank_account'],
  // Third-party validation: the payer's account is not the investor's (CAP-3).
  ['bank_account_validation_failed', 'tpv_failed'],
  ['invalid_vpa', 'invalid_upi_id'],
  ['vpa_resolution_failed', 'invalid_upi_id'],
  ['authorisation_declined_by_psp', 'upi_app_unavailable'],
  ['upi_app_technical_error', 'upi_app_unavailable'],
  ['payment_declined', 'investor_bank_declined'],
  ['debit_declined', 'investor_bank_declined'],
  ['transaction_limit_exceeded', 'investor_bank_declined'],
  ['debit_instrument_blocked', 'investor_bank_declined'],
  ['authentication_failed', 'invalid_credentials'],
  ['incorrect_pin', 'invalid_credentials'],
  ['invalid_otp', 'invalid_credentials'],
]);

/** The order is already paid: a new attempt under it is refused, but the payment has not failed. */
export const ORDER_ALREADY_PAID = 'order_already_paid';

/** An unknown reason is still a certain failure; its code is then `payment_failed`. */
export function failureCodeOf(reason: string | null | undefined): PaymentFailureCode {
  return CODES.get(reason ?? '') ?? 'payment_failed';
}

/** The reverse table, for the simulator of Razorpay: the first reason with this code. */
export function reasonOf(code: PaymentFailureCode): string {
  return [...CODES].find(([, ours]) => ours === code)?.[0] ?? 'payment_failed';
}
