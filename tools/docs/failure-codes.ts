import { PAYMENT_FAILURE_CODES, type PaymentFailureCode } from '@fundrail/contracts';
import { retryHelps } from '../../apps/mandates/src/debit/debit-policy.ts';
import { failedReason } from '../../apps/payments/src/payment/failed-reasons.ts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `\`failure_code\` of a payment whose \`status\` is \`FAILED\`. A payment that has failed never succeeds again under its id: money that
arrives late is refunded. "Try again" means a new payment for the same orders, while they can be paid (\`payable_until\`). The words for the
investor are \`failed_reason\`, as \`GET\` and the event have them.

A failed attempt on the [hosted page](../checkout.md) does not end the payment: the investor tries again there, and you receive no event.

The last column is about [debits of a mandate](../mandates.md#debit): where it says yes, fundrail itself debits again in a later window or on a later day,
and \`failure_code\` is that of the last attempt. Do not create a second debit meanwhile.`;

/** What happened, and what an app does next when its investor was about to pay. */
const ADVICE: Readonly<Record<PaymentFailureCode, readonly [happened: string, tryAgain: string]>> = {
  payment_expired: ['The investor did not pay in the time that we allow.', 'Yes, when the investor asks to.'],
  pg_payment_expired: [
    'The provider ended the payment: its own time was over.',
    'Yes, when the investor asks to.',
  ],
  tpv_failed: [
    "The payer's account is not the investor's. The money goes back.",
    'Yes, from the registered account. Name its bank and last digits.',
  ],
  pg_timeout: [
    'The provider did not answer. No money was taken, or it is refunded.',
    'Yes, after a few minutes.',
  ],
  invalid_upi_id: ['No account has this UPI ID.', 'Yes, with another UPI ID.'],
  bank_not_enabled: ['The bank does not offer this way to pay.', 'Yes, in another way.'],
  investor_bank_declined: [
    'The bank refused, for example because of a limit or a block.',
    'Yes, in another way, or after the investor has asked the bank.',
  ],
  user_cancelled: ['The investor declined or went back.', 'Only when the investor asks to.'],
  bank_downtime: ['The bank is down.', 'Yes, later, or in another way.'],
  insufficient_funds: ['The balance is too low.', 'Yes, once there is money.'],
  upi_app_unavailable: ['The UPI app or its bank did not react.', 'Yes, with another app or way.'],
  pg_server_error: ['The provider failed.', 'Yes, after a few minutes.'],
  auth_in_progress: ['The mandate is being authorised already.', 'No. Wait for the event of the mandate.'],
  invalid_credentials: ['PIN, password or OTP was wrong.', 'Yes.'],
  payment_failed: ['The provider gave no reason that we know.', 'Yes, once; then in another way.'],
  invalid_bank_account: [
    'The account is closed, blocked, or of a kind that cannot pay.',
    'No. Ask for another account.',
  ],
  mandate_cancelled: [
    'The mandate was cancelled, paused or has ended.',
    'No. Ask for a payment or a new mandate.',
  ],
  mandate_limit_exceeded: [
    'The amount is above the limit of the mandate.',
    'No. Ask for a payment, or a mandate with a higher limit.',
  ],
  debit_opted_out: [
    'The investor refused this debit after the notice. The mandate stays.',
    'No. The investor has decided.',
  ],
};

/** `docs/guides/failure-codes.md`: what each code means, what to say to the investor, and whether to try again. */
export function failureCodesPage(): string {
  const rows = PAYMENT_FAILURE_CODES.map((code) => [
    `\`${code}\``,
    ADVICE[code][0],
    failedReason(code),
    ADVICE[code][1],
    retryHelps(code) ? 'yes' : 'no',
  ]);
  return [
    '# Failure codes',
    GENERATED,
    INTRODUCTION,
    table(['Code', 'What happened', 'Say to the investor', 'Try again', 'Debited again by itself'], rows),
  ].join('\n\n');
}
