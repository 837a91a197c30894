import { signCapture } from '@fundrail/providers/sdkvendor';
import type { SdkPaymentRow } from '../sdkvendor/sdk-payment.ts';

/** The fields that the investor's browser posts to the return address, as Razorpay's checkout does (CAP-6). */
export function returnFields(
  attempt: SdkPaymentRow,
  keySecret: string,
): readonly (readonly [string, string])[] {
  const { id, order_id } = attempt;
  if (attempt.status === 'captured')
    return [
      ['razorpay_payment_id', id],
      ['razorpay_order_id', order_id],
      ['razorpay_signature', signCapture(keySecret, order_id, id)],
    ];
  return [
    ['error[code]', 'BAD_REQUEST_ERROR'],
    ['error[description]', attempt.error_description ?? 'The payment was not completed'],
    ['error[source]', 'customer'],
    ['error[step]', 'payment_authentication'],
    ['error[reason]', attempt.error_reason ?? 'payment_failed'],
    ['error[metadata]', JSON.stringify({ payment_id: id, order_id })],
  ];
}
