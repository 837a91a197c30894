import { ApiError, found, ValidationFailed } from '@fundrail/contracts';
import type { GiveBackAnswer, PaymentDto, RefundPaymentRequest } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { canApply, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { ChangePayment } from './change-payment.ts';
import { isRedemption } from './orders-of-payment.ts';
import { findPayment } from './payment.repository.ts';
import type { ShareRow } from './payment.tables.ts';
import { toPayment, unchanged, type Payment } from './payment.ts';
import { sharesGivenBack, sharesLeft } from './refund.ts';
import { refundShares } from './transfer.ts';

/** `POST /:id/refunds` (operator): gives back shares of a payment whose money is still here (REF-5). */
@Injectable()
export class RefundPayment {
  constructor(
    private readonly change: ChangePayment,
    private readonly claims: OrderClaims,
    private readonly database: Database,
  ) {}

  /**
   * Throws 404; 409 `ILLEGAL_TRANSITION` unless the payment is SUCCESS and no installment of it is submitted; 400 when a given order
   * has no share left; 503 while an installment is being submitted or when orders gives no answer.
   */
  async execute(caller: Caller, id: number, request: RefundPaymentRequest): Promise<PaymentDto> {
    const installments = await this.withoutSubmission(caller.tenant, id, request);
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, { tenant: caller.tenant, id }, (payment) => {
        // `giveBack` has failed the installments, and their events may have refunded the shares already.
        if (installments.length > 0 && areGivenBack(payment, installments)) return unchanged(payment);
        refuseUnlessHere(payment);
        return refundShares(payment, chosen(payment, request.amc_order_ids), 'operator', tx.now);
      });
      return caller.answer(tx, toPayment(found(after)));
    });
  }

  /** Makes orders fail the installments before their money goes back (decision 0030). Returns their ids. */
  private async withoutSubmission(
    tenant: string,
    id: number,
    { amc_order_ids }: RefundPaymentRequest,
  ): Promise<readonly number[]> {
    const payment = found(await findPayment(this.database, tenant, id));
    refuseUnlessHere(payment);
    const installments = chosen(payment, amc_order_ids)
      .filter(isRedemption)
      .map(({ old_id }) => old_id);
    if (installments.length > 0) {
      const answer = await this.claims.giveBack({ tenant, payment_id: id, amc_order_ids: installments });
      if (answer.outcome === 'kept') throw refusalOf(answer);
    }
    return installments;
  }
}

function refusalOf({ old_id, reason }: Extract<GiveBackAnswer, { outcome: 'kept' }>): ApiError {
  return reason === 'submitted'
    ? new ApiError(
        'ILLEGAL_TRANSITION',
        `order ${old_id} is already submitted and its money goes to the registrar`,
      )
    : new ApiError('SERVICE_UNAVAILABLE', `order ${old_id} is being submitted; try again`, [], 1);
}

function areGivenBack(payment: Payment, ids: readonly number[]): boolean {
  const back = new Set(sharesGivenBack(payment).map(({ old_id }) => old_id));
  return ids.every((id) => back.has(id));
}

/** The money is here until its transfer starts. */
function refuseUnlessHere({ status }: Payment): void {
  if (canApply(paymentMachine, status, 'start_transfer')) return;
  const reason = `a ${status} payment cannot be refunded; only a SUCCESS payment can, before its transfer starts`;
  throw new ApiError('ILLEGAL_TRANSITION', reason);
}

/** The remaining shares of the given orders, or all remaining shares. */
function chosen(payment: Payment, ids: readonly number[] | undefined): readonly ShareRow[] {
  const left = sharesLeft(payment);
  if (!ids) return left;
  const unknown = ids.findIndex((id) => !left.some((share) => share.old_id === id));
  if (unknown >= 0)
    throw new ValidationFailed([
      { field: `amc_order_ids.${unknown}`, message: 'has no share left in this payment' },
    ]);
  return left.filter((share) => ids.includes(share.old_id));
}
