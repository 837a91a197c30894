import type { PaymentFailureCode } from '@fundrail/contracts';

/** `failed_reason`: the sentence for the investor for each `failure_code` (PAY-28). */
const FAILED_REASONS: Readonly<Record<PaymentFailureCode, string>> = {
  payment_expired: 'The payment was not completed in time.',
  pg_payment_expired: 'The payment was not completed within the time that the payment provider allows.',
  tpv_failed: 'The payment came from a bank account other than the one registered for this investment.',
  pg_timeout: 'The payment provider did not answer in time.',
  invalid_upi_id: 'This UPI ID does not exist.',
  bank_not_enabled: 'Your bank is not enabled for this way of paying.',
  investor_bank_declined: 'Your bank declined the payment.',
  user_cancelled: 'The payment was cancelled.',
  bank_downtime: 'Your bank is not available at the moment.',
  insufficient_funds: 'There was not enough money in the bank account.',
  upi_app_unavailable: 'The UPI app is not available.',
  pg_server_error: 'The payment provider could not process the payment.',
  auth_in_progress: 'Another authorisation of this mandate is in progress.',
  invalid_credentials: 'The UPI PIN or password was wrong.',
  payment_failed: 'The payment failed.',
  invalid_bank_account: 'The bank account cannot be used for payments.',
  mandate_cancelled: 'The mandate is not active any more.',
  mandate_limit_exceeded: "The amount is above the mandate's limit.",
  debit_opted_out: 'You skipped this debit. No money was taken.',
};

export function failedReason(code: PaymentFailureCode): string {
  return FAILED_REASONS[code];
}

/** Sentences that differ for a mandate, where no payment was declined. */
const REJECTED_REASONS: Partial<Record<PaymentFailureCode, string>> = {
  investor_bank_declined: 'Your bank refused the mandate.',
  payment_failed: 'The mandate was refused.',
  insufficient_funds: 'There was not enough money in the bank account to authorise the mandate.',
  invalid_bank_account: 'The bank account cannot be used for mandates.',
};

/** `rejected_reason` of a mandate: the sentence for the investor for the code of its refusal. */
export function rejectedReason(code: PaymentFailureCode): string {
  return REJECTED_REASONS[code] ?? failedReason(code);
}
