import type {
  CreateMfPurchase,
  CreateMfRedemption,
  MfPurchaseDto,
  MfRedemptionDto,
  PatchMfPurchase,
  PatchMfRedemption,
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

export const PURCHASES: OrderKind<CreateMfPurchase, PatchMfPurchase, MfPurchaseDto> = {
  kind: 'purchase',
  create: createPurchase,
  change: changePurchase,
  toObject: toMfPurchase,
};

/** Purchases as the caller may change them. */
export function purchasesOf({ compatibility }: Pick<Caller, 'compatibility'>): typeof PURCHASES {
  return compatibility === null ? PURCHASES : { ...PURCHASES, change: changePurchaseBeforePayment };
}

export const REDEMPTIONS: OrderKind<CreateMfRedemption, PatchMfRedemption, MfRedemptionDto> = {
  kind: 'redemption',
  create: createRedemption,
  change: changeRedemption,
  toObject: toMfRedemption,
};

/** The order as GET returns it and as its events carry it. */
export function toOrderObject(row: Order): MfPurchaseDto | MfRedemptionDto {
  return row.kind === 'purchase' ? toMfPurchase(row) : toMfRedemption(row);
}
