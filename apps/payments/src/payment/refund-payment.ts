import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { PaymentDto, RefundPaymentRequest } from '@fundrail/contracts';
import { canApply, paymentMachine } from '@fundrail/state-machines';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from './change-payment.ts';
import type { ShareRow } from './payment.entity.ts';
import { toPayment } from './payment.ts';
import type { Payment } from './payment.ts';
import { sharesLeft } from './refund.ts';
import { refundShares } from './transfer.ts';

/** `POST /:id/refunds` (operator): gives back shares of a payment whose money is still here (contract §3). */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly change: ChangePayment,
    private readonly database: Database,
  ) {}

  /** Throws 404, 409 `ILLEGAL_TRANSITION` unless the payment is SUCCESS, 400 when an order that is named has no share that is left. */
  execute(caller: Caller, id: number, request: RefundPaymentRequest): Promise<PaymentDto> {
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, { tenant: caller.tenant, id }, (payment) => {
        refuseUnlessHere(payment);
        return refundShares(payment, chosen(payment, request.amc_order_ids), 'operator', tx.now);
      });
      if (!after) throw new ApiError('NOT_FOUND');
      return caller.answer(tx, toPayment(after));
    });
  }
}

/** The money is here for as long as its transfer could start. */
function refuseUnlessHere({ status }: Payment): void {
  if (canApply(paymentMachine, status, 'start_transfer')) return;
  const reason = `a payment that is ${status} cannot be refunded: only SUCCESS can, before the transfer starts`;
  throw new ApiError('ILLEGAL_TRANSITION', reason);
}

/** The shares of the orders that are named, or all that are left. */
function chosen(payment: Payment, ids: readonly number[] | undefined): readonly ShareRow[] {
  const left = sharesLeft(payment);
  if (!ids) return left;
  const unknown = ids.findIndex((id) => !left.some((share) => share.old_id === id));
  if (unknown >= 0)
    throw new ValidationFailed([
      { field: `amc_order_ids.${unknown}`, message: 'has no share of this payment that is left' },
    ]);
  return left.filter((share) => ids.includes(share.old_id));
}
