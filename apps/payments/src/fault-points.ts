import type { RequestFaultPoint } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';

/** Where a crash test can stop this service (service-kit `faultPoint`). A name states what has just happened. */
export type PaymentFaultPoint =
  | 'payments.id_drawn'
  | 'payments.claimed'
  | 'payments.created'
  | 'payments.voided'
  | 'payments.checkout_answered'
  | 'payments.checkout_opened'
  | 'payments.ending_begun'
  | 'payments.cancel_answered'
  | 'payments.ended'
  | 'payments.status_answered'
  | 'payments.status_applied'
  | `payments.${'issue_uri' | 'send_collect' | 'transfer' | 'refund'}.${RequestFaultPoint}`
  | 'payments.upi_request_applied'
  | 'payments.transfer_applied'
  | 'payments.give_up_answered'
  | 'payments.swept'
  | 'payments.debit_unconfirmed'
  | 'payments.refund_applied'
  | 'payments.callback_applied'
  | 'payments.debit_admitted';

/** Passes a fault point of this service; nothing happens unless a test waits there. */
export const passFaultPoint: (name: PaymentFaultPoint) => Promise<void> | void = faultPoint;
