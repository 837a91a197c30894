import {
  ApiError,
  type CreateInstallment,
  type MfRedemptionDto,
  type PlanInstallment,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { redemptionsOf } from '../order/order-kind.ts';
import { ORDER } from '../order/order.aggregate.ts';
import { PlanInstallments } from '../outside/plan-installments.ts';
import { deleteDraw, noteDraw } from './installment-draw.repository.ts';
import { TakeInstallments } from './take-installments.ts';

/**
 * Creates the next installment of a plan without automatic generation (PLAN-19). The plan's service draws it under the redemption's
 * id. With an Idempotency-Key that id is stored first, so that a retry continues with the same id and draws nothing twice, whether
 * this process died or there was no answer. An installment that was drawn and not stored arrives by the plan's event.
 */
@Injectable()
export class GenerateInstallment {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanInstallments,
    private readonly take: TakeInstallments,
  ) {}

  /** Throws the refusal of the draw, on the field `plan`, and `SERVICE_UNAVAILABLE` without an answer. */
  async execute(caller: Caller, { plan }: CreateInstallment): Promise<MfRedemptionDto> {
    const { tenant } = caller;
    const key = caller.idempotency?.key ?? null;
    const redemption = await noteDraw(this.database, { tenant, key, plan }, await this.database.now());
    const result = await this.plans.draw({ tenant, plan, redemption });
    if (result.outcome === 'refused') {
      await deleteDraw(this.database, redemption, caller);
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
    await this.take.executeIn(tx, [{ tenant, object: installment, traceparent: null }]);
    const row = await ORDER.lock(tx, tenant, redemption);
    if (!row) throw new Error(`${redemption} was drawn, but its installment exists already`);
    await deleteDraw(tx, redemption, caller);
    return caller.answer(tx, redemptionsOf({ compatibility: null }).toObject(row, tx.now));
  }
}
