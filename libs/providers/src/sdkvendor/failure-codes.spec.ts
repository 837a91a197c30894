import { PAYMENT_FAILURE_CODES } from '@fundrail/contracts';
import { failureCodeOf, reasonOf } from './failure-codes.ts';

// PAY-28.
describe("Razorpay's reasons as our codes", () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['payment_cancelled', 'user_cancelled'],
    ['payment_timed_out', 'pg_payment_expired'],
    ['invalid_vpa', 'invalid_upi_id'],
    ['bank_account_validation_failed', 'tpv_failed'],
    ['bank_technical_error', 'bank_downtime'],
    ['bank_not_enabled', 'bank_not_enabled'],
    ['payment_declined', 'investor_bank_declined'],
    ['incorrect_pin', 'invalid_credentials'],
  ])('given %s, when it is read, then it is %s', (reason, code) => {
    expect(failureCodeOf(reason)).toBe(code);
  });

  it.each(['teleported', '', null, undefined])(
    'given %p, when it is read, then it is still a failure',
    (reason) => {
      expect(failureCodeOf(reason)).toBe('payment_failed');
    },
  );

  it.each(PAYMENT_FAILURE_CODES)(
    'given %s, when it is played, then it is read back, or is just a failure',
    (code) => {
      expect([code, 'payment_failed']).toContain(failureCodeOf(reasonOf(code)));
    },
  );
});
