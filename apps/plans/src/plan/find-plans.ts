import {
  ApiError,
  ValidationFailed,
  type EitherId,
  type ListMfRedemptionPlans,
  type MfRedemptionPlanDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { findPlan, listPlans } from './plan.repository.ts';
import { toPlan } from './plan.ts';

/** Reads plans of a tenant. */
@Injectable()
export class FindPlans {
  constructor(private readonly database: Database) {}

  /** Throws `NOT_FOUND` for an unknown id and for another tenant's plan. */
  async one(tenant: string, id: EitherId): Promise<MfRedemptionPlanDto> {
    const row = await findPlan(this.database, tenant, id);
    if (!row) throw new ApiError('NOT_FOUND');
    return toPlan(row);
  }

  /** Newest first, after `starting_after`, at most `limit` (CONV-20). */
  async list(
    tenant: string,
    { starting_after, ...filters }: ListMfRedemptionPlans,
  ): Promise<MfRedemptionPlanDto[]> {
    const before = starting_after === undefined ? null : await this.oldIdOf(tenant, starting_after);
    return (await listPlans(this.database, tenant, filters, before)).map(toPlan);
  }

  private async oldIdOf(tenant: string, id: string): Promise<number> {
    const row = await findPlan(this.database, tenant, { id });
    if (row) return row.old_id;
    throw new ValidationFailed([
      { field: 'starting_after', message: 'is not a redemption plan of this tenant' },
    ]);
  }
}
