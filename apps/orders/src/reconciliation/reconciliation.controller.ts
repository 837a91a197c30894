import { askOrders, askRedemptions, type OrderStanding, type RedemptionStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { z } from 'zod';
import { orderStandings, redemptionStandings } from './standing.repository.ts';

/** The states of orders, for the reconciliation of other services. */
@ApiExcludeController()
@Internal()
@Controller('internal/reconciliation')
export class ReconciliationController {
  constructor(private readonly db: Database) {}

  @Post('orders')
  @HttpCode(200)
  async orders(
    @Body({ schema: askOrders }) { old_ids }: z.output<typeof askOrders>,
  ): Promise<{ orders: OrderStanding[] }> {
    return { orders: await orderStandings(this.db, old_ids) };
  }

  @Post('redemptions')
  @HttpCode(200)
  async redemptions(
    @Body({ schema: askRedemptions }) { ids }: z.output<typeof askRedemptions>,
  ): Promise<{ redemptions: RedemptionStanding[] }> {
    return { redemptions: await redemptionStandings(this.db, ids) };
  }
}
