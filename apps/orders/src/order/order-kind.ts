import {
  istTimestamp,
  type CreateMfPurchase,
  type CreateMfRedemption,
  type MfPurchaseDto,
  type MfRedemptionDto,
  type PatchMfPurchase,
  type PatchMfRedemption,
} from '@fundrail/contracts';
import type { Caller } from '@fundrail/service-kit/http';
import type { Decision } from '@fundrail/state-machines';
import {
  changePurchase,
  changePurchaseBeforePayment,
  createPurchase,
  toMfPurchase,
} from '../mf-purchase/mf-purchase.ts';
import { changeRedemption, createRedemption, toMfRedemption } from '../mf-redemption/mf-redemption.ts';
import type { Contacts, Order, OrderOrigin, OrderStep } from './order.ts';

/** The differences between purchases and redemptions, for the use cases of both. */
export interface OrderKind<Create, Patch, Dto> {
  readonly kind: Order['kind'];
  readonly create: (input: Create, origin: OrderOrigin) => Decision<Order>;
  readonly change: (row: Order, patch: Patch, contacts: Contacts, now: Date) => readonly OrderStep[];
  readonly toObject: (row: Order) => Dto;
}

const PURCHASES: OrderKind<CreateMfPurchase, PatchMfPurchase, MfPurchaseDto> = {
  kind: 'purchase',
  create: createPurchase,
  change: changePurchase,
  toObject: toMfPurchase,
};

/** Purchases as the caller may change them, and as it is answered. */
export function purchasesOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof PURCHASES {
  if (compatibility === null) return PURCHASES;
  return { ...PURCHASES, change: changePurchaseBeforePayment, toObject: withUpstreamFields(toMfPurchase) };
}

const REDEMPTIONS: OrderKind<CreateMfRedemption, PatchMfRedemption, MfRedemptionDto> = {
  kind: 'redemption',
  create: createRedemption,
  change: changeRedemption,
  toObject: toMfRedemption,
};

/** Redemptions as the caller is answered. */
export function redemptionsOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof REDEMPTIONS {
  if (compatibility === null) return REDEMPTIONS;
  return { ...REDEMPTIONS, toObject: withUpstreamFields(toMfRedemption) };
}

/** Adds what only answers to clients of the upstream have. Events have null there (COMP-6). */
function withUpstreamFields<Dto extends object>(toObject: (row: Order) => Dto): (row: Order) => Dto {
  return (row) => {
    const { server_ip, retried_at } = row;
    return { ...toObject(row), server_ip, retried_at: istTimestamp(retried_at) };
  };
}

/** The order as GET returns it and as its events carry it. */
export function toOrderObject(row: Order): MfPurchaseDto | MfRedemptionDto {
  return row.kind === 'purchase' ? toMfPurchase(row) : toMfRedemption(row);
}
