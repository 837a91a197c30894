import type { ServiceDefinition } from '@fundrail/service-kit/db';
import type { FakeClock, TestDatabase } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { ordersService } from '../index.ts';
import { ordersWiring } from '../orders.module.ts';
import { PlanInstallments } from '../plan/plan-installments.ts';
import type { FakeNeighbours } from './fake-neighbours.ts';
import type { FakeOrderGateway } from './fake-order-gateway.ts';
import type { FakePlans } from './fake-plans.ts';

/** The outside that a spec leads. Replicas share it. */
export interface Outside {
  readonly gateway: FakeOrderGateway;
  readonly neighbours: FakeNeighbours;
  readonly plans: FakePlans;
  readonly clock: FakeClock;
  readonly testDatabase: TestDatabase;
}

/** The real service but for its gateway and the plans. */
export function serviceWithFakes(gateway: FakeOrderGateway, plans: FakePlans): ServiceDefinition {
  const wiring = ordersWiring({ provide: ORDER_GATEWAY, useValue: gateway });
  const providers = [...(wiring.providers ?? []), { provide: PlanInstallments, useValue: plans }];
  @Module({ ...wiring, providers })
  class OrdersWithFakes {}
  return { ...ordersService, module: OrdersWithFakes };
}
