import {
  ApiError,
  type CreateInstallment,
  type MfRedemptionDto,
  type PlanInstallment,
} from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { lockOrder } from '../order/order.repository.ts';
import { PlanInstallments } from '../plan/plan-installments.ts';
import { forgetDraw, noteDraw } from './installment-draw.repository.ts';
import { toMfRedemption } from './mf-redemption.ts';
import { TakeInstallments } from './take-installments.ts';

/**
 * Makes the next installment of a plan whose owner generates them (contract §5). swp draws it under the redemption's id. With an
 * Idempotency-Key that id is written down first, so that a retry goes on with the same one, and draws nothing twice, whether
 * this process died or swp gave no answer; what was drawn and never stored comes by the plan's event.
 */
@Injectable()
export class GenerateInstallment {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanInstallments,
    private readonly take: TakeInstallments,
  ) {}

  /** Throws as swp refuses, on the field `plan`; `SERVICE_UNAVAILABLE` when it does not answer. */
  async execute(caller: Caller, { plan }: CreateInstallment): Promise<MfRedemptionDto> {
    const { tenant } = caller;
    const key = caller.idempotency?.key ?? null;
    const redemption = await noteDraw(this.database, { tenant, key, plan }, await this.database.now());
    const result = await this.plans.draw({ tenant, plan, redemption });
    if (result.outcome === 'refused') {
      await forgetDraw(this.database, redemption, caller);
      throw new ApiError(result.code, result.message, result.errors);
    }
    const answered = await this.database.transaction(async (tx) => {
      const answer = await this.store(tx, caller, result.installment);
      await passFaultPoint('orders.create.before_commit');
      return answer;
    });
    await passFaultPoint('orders.create.committed');
    return answered;
  }

  private async store(tx: Tx, caller: Caller, installment: PlanInstallment): Promise<MfRedemptionDto> {
    const { tenant } = caller;
    const { redemption } = installment;
    await this.take.executeIn(tx, [{ tenant, installment, traceparent: null }]);
    const row = await lockOrder(tx, tenant, 'redemption', redemption);
    if (!row) throw new Error(`${redemption} was drawn, and its place is taken`);
    await forgetDraw(tx, redemption, caller);
    return caller.answer(tx, toMfRedemption(row));
  }
}
