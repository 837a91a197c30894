import type { PaymentStatus } from '@fundrail/state-machines';
import { paymentOfEvent } from '@fundrail/testing';

/** A payment event's object, with the fields that orders reads. */
export function aPayment(id: number, status: PaymentStatus, changes: object = {}): object {
  return paymentOfEvent({ id, status, ...changes });
}
