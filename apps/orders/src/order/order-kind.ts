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
import { expectedNav } from './expected-nav.ts';
import type { Contacts, ExpectedNav, Order, OrderOrigin, OrderStep } from './order.ts';

/** The differences between purchases and redemptions, for the use cases of both. */
export interface OrderKind<Create, Patch, Dto> {
  readonly kind: Order['kind'];
  readonly create: (input: Create, origin: OrderOrigin) => Decision<Order>;
  readonly change: (row: Order, patch: Patch, contacts: Contacts, now: Date) => readonly OrderStep[];
  /** As it is answered at that business time. */
  readonly toObject: (row: Order, now: Date) => Dto;
}

const PURCHASES: OrderKind<CreateMfPurchase, PatchMfPurchase, MfPurchaseDto> = {
  kind: 'purchase',
  create: createPurchase,
  change: changePurchase,
  toObject: purchaseAt,
};

/** Purchases as the caller may change them, and as it is answered. */
export function purchasesOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof PURCHASES {
  if (compatibility === null) return PURCHASES;
  return { ...PURCHASES, change: changePurchaseBeforePayment, toObject: withUpstreamFields(purchaseAt) };
}

const REDEMPTIONS: OrderKind<CreateMfRedemption, PatchMfRedemption, MfRedemptionDto> = {
  kind: 'redemption',
  create: createRedemption,
  change: changeRedemption,
  toObject: redemptionAt,
};

/** Redemptions as the caller is answered. */
export function redemptionsOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof REDEMPTIONS {
  if (compatibility === null) return REDEMPTIONS;
  return { ...REDEMPTIONS, toObject: withUpstreamFields(redemptionAt) };
}

/** Adds what only answers to clients of the upstream have. Events have null there (COMP-6). */
function withUpstreamFields<Dto extends object>(
  toObject: (row: Order, now: Date) => Dto,
): (row: Order, now: Date) => Dto {
  return (row, now) => {
    const { server_ip, retried_at } = row;
    return { ...toObject(row, now), server_ip, retried_at: istTimestamp(retried_at) };
  };
}

function purchaseAt(row: Order, now: Date): MfPurchaseDto {
  return toMfPurchase(row, expectedNav(row, now));
}

function redemptionAt(row: Order, now: Date): MfRedemptionDto {
  return toMfRedemption(row, expectedNav(row, now));
}

/**
 * The order as its events carry it, with what is expected of the NAV after the event's step: that is never a change, so
 * `previous_attributes` has no value of it.
 */
export function toEventObject(row: Order, nav: ExpectedNav): MfPurchaseDto | MfRedemptionDto {
  return row.kind === 'purchase' ? toMfPurchase(row, nav) : toMfRedemption(row, nav);
}
