import { ApiError, type DrawInstallment, type DrawResult } from '@fundrail/contracts';
import type { PlanInstallments } from '../plan/plan-installments.ts';

/** Plans with answers set by the test. By default they do not answer. */
export class FakePlans implements Pick<PlanInstallments, 'draw'> {
  readonly drawn: DrawInstallment[] = [];
  onDraw: (asked: DrawInstallment) => DrawResult | null = () => null;

  draw(asked: DrawInstallment): Promise<DrawResult> {
    this.drawn.push(asked);
    const result = this.onDraw(asked);
    return result
      ? Promise.resolve(result)
      : Promise.reject(new ApiError('SERVICE_UNAVAILABLE', 'plans does not answer.'));
  }
}
