import {
  ApiError,
  ValidationFailed,
  type EitherId,
  type ListMfPurchases,
  type MfPurchaseDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { In, LessThan, type FindOptionsWhere } from 'typeorm';
import { MfOrder } from '../order/order.entity.ts';
import { findOrder } from '../order/order.repository.ts';
import { toMfPurchase } from './mf-purchase.ts';

/** Reads purchases of a tenant. */
@Injectable()
export class FindMfPurchases {
  constructor(private readonly database: Database) {}

  /** Throws `NOT_FOUND` for an unknown id and for another tenant's. */
  async one(tenant: string, id: EitherId): Promise<MfPurchaseDto> {
    const row = await findOrder(this.database, tenant, 'purchase', id);
    if (!row) throw new ApiError('NOT_FOUND');
    return toMfPurchase(row);
  }

  /** Newest first, after `starting_after`, at most `limit` (contract §0 "Lists"). */
  async list(tenant: string, query: ListMfPurchases): Promise<MfPurchaseDto[]> {
    const where = { ...filters(tenant, query), ...(await this.after(tenant, query.starting_after)) };
    const rows = await this.database.manager.find(MfOrder, {
      where,
      order: { old_id: 'DESC' },
      take: query.limit,
    });
    return rows.map(toMfPurchase);
  }

  private async after(tenant: string, id: string | undefined): Promise<FindOptionsWhere<MfOrder>> {
    if (id === undefined) return {};
    const row = await findOrder(this.database, tenant, 'purchase', { id });
    if (!row)
      throw new ValidationFailed([{ field: 'starting_after', message: 'is not a purchase of this tenant' }]);
    return { old_id: LessThan(row.old_id) };
  }
}

function filters(tenant: string, query: ListMfPurchases): FindOptionsWhere<MfOrder> {
  const { mf_investment_account, plan, source_ref_id, states } = query;
  return {
    tenant,
    kind: 'purchase',
    ...(mf_investment_account !== undefined && { mf_investment_account }),
    ...(plan !== undefined && { plan }),
    ...(source_ref_id !== undefined && { source_ref_id }),
    ...(states !== undefined && { state: In(states) }),
  };
}
