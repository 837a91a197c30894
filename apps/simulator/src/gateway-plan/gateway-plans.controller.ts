import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { toPlanObject } from './gateway-plan.ts';
import { TakePlan } from './take-plan.ts';

/** gatewaypoa's redemption plans: review, registration, status. */
@Controller('gatewaypoa/plans')
@GatewaypoaRoutes()
export class GatewayPlansController {
  constructor(
    private readonly db: Database,
    private readonly take: TakePlan,
  ) {}

  @Post('review')
  @GatewayOperation('plan_review')
  review(@Body({ schema: gatewaypoaWire.planRequest }) request: gatewaypoaWire.PlanRequest) {
    return this.take.review(request);
  }

  @Post('register')
  @GatewayOperation('plan_register')
  register(@Body({ schema: gatewaypoaWire.planRequest }) request: gatewaypoaWire.PlanRequest) {
    return this.take.register(request);
  }

  @Get(':reference')
  @GatewayOperation('plan_status')
  async status(@Param('reference') reference: string) {
    return toPlanObject(known(await store.plans.find(this.db, { reference }), reference));
  }
}
