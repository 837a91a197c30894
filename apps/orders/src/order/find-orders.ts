import {
  found,
  ValidationFailed,
  type EitherId,
  type ListMfOrders,
  type SkippedDays,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import {
  Between,
  In,
  IsNull,
  LessThan,
  MoreThan,
  MoreThanOrEqual,
  Not,
  type FindOptionsWhere,
} from 'typeorm';
import { PlanInstallments } from '../outside/plan-installments.ts';
import type { OrderKind } from './order-kind.ts';
import { MF_ORDERS, type MfOrder } from './order.table.ts';
import type { Order } from './order.ts';
import { findOrder } from './order.repository.ts';

type Of<D> = OrderKind<never, never, D>;

/** Reads orders of a tenant. */
@Injectable()
export class FindOrders {
  constructor(
    private readonly database: Database,
    private readonly plans: PlanInstallments,
  ) {}

  /** Throws `NOT_FOUND` for an unknown id and for another tenant's order. */
  async one<D>(of: Of<D>, tenant: string, id: EitherId): Promise<D> {
    const row = found(await findOrder(this.database, tenant, of.kind, id));
    return of.toObject(row, await this.database.now());
  }

  /** Newest first, or oldest first with `direction: asc`, after `starting_after`, at most `limit` (CONV-20, ORD-33). */
  async list<D>(of: Of<D>, tenant: string, query: ListMfOrders): Promise<D[]> {
    const after = await this.after(of.kind, tenant, query);
    const { skip_instruction: instruction } = query;
    const days = instruction === undefined ? undefined : await this.plans.skippedBy(tenant, instruction);
    if (days === null) return [];
    const where = { ...filters(of.kind, tenant, query), ...after };
    const rows = await this.database.manager.find(MF_ORDERS.entity, {
      where: days ? { ...where, ...skippedIn(days, query) } : where,
      order: { old_id: query.direction },
      take: query.limit,
    });
    const now = await this.database.now();
    return rows.map((row) => of.toObject(row, now));
  }

  private async after(
    kind: Order['kind'],
    tenant: string,
    { starting_after: id, direction }: ListMfOrders,
  ): Promise<FindOptionsWhere<MfOrder>> {
    if (id === undefined) return {};
    const row = await findOrder(this.database, tenant, kind, { id });
    if (!row)
      throw new ValidationFailed([{ field: 'starting_after', message: `is not a ${kind} of this tenant` }]);
    return { old_id: direction === 'asc' ? MoreThan(row.old_id) : LessThan(row.old_id) };
  }
}

function filters(kind: Order['kind'], tenant: string, query: ListMfOrders): FindOptionsWhere<MfOrder> {
  const { mf_investment_account, plan, source_ref_id, states, type } = query;
  return {
    tenant,
    kind,
    ...(mf_investment_account !== undefined && { mf_investment_account }),
    ...(plan !== undefined && { plan }),
    ...(source_ref_id !== undefined && { source_ref_id }),
    ...(states !== undefined && { state: In(states) }),
    ...(type !== undefined && { type: In([type]) }),
  };
}

/** The installments of those days: each is cancelled. A filter for another plan finds none. */
function skippedIn({ plan, from, to }: SkippedDays, asked: ListMfOrders): FindOptionsWhere<MfOrder> {
  return {
    plan: asked.plan === undefined || asked.plan === plan ? plan : In([]),
    scheduled_on: to === null ? MoreThanOrEqual(from) : Between(from, to),
    cancelled_at: Not(IsNull()),
  };
}
