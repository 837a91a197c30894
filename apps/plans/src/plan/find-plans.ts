import {
  found,
  ValidationFailed,
  type EitherId,
  type ListMfPurchasePlans,
  type ListMfRedemptionPlans,
  type MfPurchasePlanDto,
  type MfRedemptionPlanDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { purchasePlansOf } from '../purchase-plan/purchase-plan.ts';
import { findPlan, listPlans } from './plan.repository.ts';
import type { PlanKind } from './plan.table.ts';
import { toPlan, type Plan } from './plan.ts';

/** Reads plans of a tenant. */
@Injectable()
export class FindPlans {
  constructor(private readonly database: Database) {}

  /** Throws `NOT_FOUND` for an unknown id and for another tenant's plan. */
  async one(tenant: string, id: EitherId): Promise<MfRedemptionPlanDto> {
    return toPlan(found(await findPlan(this.database, tenant, id)));
  }

  /** The same of a purchase plan. */
  async onePurchase(caller: Caller, id: EitherId): Promise<MfPurchasePlanDto> {
    return purchasePlansOf(caller)(found(await findPlan(this.database, caller.tenant, id, 'purchase')));
  }

  /** Newest first, after `starting_after`, at most `limit` (CONV-20). */
  async list(
    tenant: string,
    { starting_after, ...filters }: ListMfRedemptionPlans,
  ): Promise<MfRedemptionPlanDto[]> {
    const before = await this.oldIdOf(tenant, starting_after, 'redemption');
    return (await listPlans(this.database, tenant, { ...filters, kind: 'redemption' }, before)).map(toPlan);
  }

  /** The same of purchase plans. */
  async listPurchases(
    caller: Caller,
    { starting_after, ...filters }: ListMfPurchasePlans,
  ): Promise<MfPurchasePlanDto[]> {
    const { tenant } = caller;
    const before = await this.oldIdOf(tenant, starting_after, 'purchase');
    const rows = await listPlans(this.database, tenant, { ...filters, kind: 'purchase' }, before);
    return rows.map(purchasePlansOf(caller));
  }

  /** The id of the tenant's purchase plan that a body names. Throws 400 on `id`. */
  async purchaseNamed(tenant: string, id: string): Promise<string> {
    return (await this.named(tenant, id, { kind: 'purchase', field: 'id' })).id;
  }

  private async oldIdOf(tenant: string, id: string | undefined, kind: PlanKind): Promise<number | null> {
    return id === undefined ? null : (await this.named(tenant, id, { kind, field: 'starting_after' })).old_id;
  }

  private async named(
    tenant: string,
    id: string,
    { kind, field }: { readonly kind: PlanKind; readonly field: string },
  ): Promise<Plan> {
    const row = await findPlan(this.database, tenant, { id });
    if (row) return row;
    throw new ValidationFailed([{ field, message: `is not a ${kind} plan of this tenant` }]);
  }
}
