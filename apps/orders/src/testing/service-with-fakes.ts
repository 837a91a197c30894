import type { ServiceDefinition } from '@fundrail/service-kit/db';
import type { FakeClock } from '@fundrail/testing';
import { Module, type Provider } from '@nestjs/common';
import { ordersConfig } from '../config.ts';
import { gatewaypoa } from '../gateway/gatewaypoa.ts';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { ordersService } from '../index.ts';
import { ordersWiring } from '../orders.module.ts';
import { PlanInstallments } from '../outside/plan-installments.ts';
import type { FakeNeighbours } from './fake-neighbours.ts';
import type { FakeOrderGateway } from './fake-order-gateway.ts';
import type { FakePlans } from './fake-plans.ts';

/** The fakes that a spec controls. Replicas share them. */
export interface Outside {
  readonly gateway: FakeOrderGateway;
  readonly neighbours: FakeNeighbours;
  readonly plans: FakePlans;
  readonly clock: FakeClock;
  /** The URL of the real gatewaypoa, if it replaces the fake gateway. */
  readonly gatewaypoaUrl?: string;
  /** Gets the lines of the log. */
  readonly lines?: string[];
}

/** The real service with a fake gateway and fake plans. */
export function serviceWithFakes(gateway: FakeOrderGateway, plans: FakePlans): ServiceDefinition {
  return serviceOver({ provide: ORDER_GATEWAY, useValue: gateway }, plans);
}

/** The real service with the real calls of gatewaypoa; only the plans are fake. */
export function serviceWithGatewaypoa(plans: FakePlans): ServiceDefinition {
  return serviceOver(gatewaypoa, plans, ordersConfig);
}

function serviceOver(gateway: Provider, plans: FakePlans, ...more: Provider[]): ServiceDefinition {
  const wiring = ordersWiring(gateway);
  const providers = [...(wiring.providers ?? []), { provide: PlanInstallments, useValue: plans }, ...more];
  @Module({ ...wiring, providers })
  class OrdersWithFakes {}
  return { ...ordersService, module: OrdersWithFakes };
}
