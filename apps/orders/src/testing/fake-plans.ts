import { ApiError, type DrawInstallment, type DrawResult, type SkippedDays } from '@fundrail/contracts';
import type { PlanInstallments } from '../outside/plan-installments.ts';

/** Plans with answers set by the test. By default they do not answer. */
export class FakePlans implements Pick<PlanInstallments, 'draw' | 'skippedBy'> {
  readonly drawn: DrawInstallment[] = [];
  onDraw: (asked: DrawInstallment) => DrawResult | null = () => null;

  /** What instructions of tenant `demo` skip. */
  readonly skips = new Map<string, SkippedDays>();

  skippedBy(tenant: string, instruction: string): Promise<SkippedDays | null> {
    return Promise.resolve(tenant === 'demo' ? (this.skips.get(instruction) ?? null) : null);
  }

  draw(asked: DrawInstallment): Promise<DrawResult> {
    this.drawn.push(asked);
    const result = this.onDraw(asked);
    return result
      ? Promise.resolve(result)
      : Promise.reject(new ApiError('SERVICE_UNAVAILABLE', 'plans does not answer.'));
  }
}
