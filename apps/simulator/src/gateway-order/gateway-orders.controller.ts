import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf, pageOf } from '../gatewaypoa/book.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { toOrderObject } from './gateway-order.ts';
import { RequestReview } from './request-review.ts';
import { SubmitOrder } from './submit-order.ts';

/** gatewaypoa's orders: review, submission, status. */
@Controller('gatewaypoa/orders')
@GatewaypoaRoutes()
export class GatewayOrdersController {
  constructor(
    private readonly db: Database,
    private readonly requestReview: RequestReview,
    private readonly submitOrder: SubmitOrder,
  ) {}

  @Post('review')
  @GatewayOperation('review')
  review(@Body({ schema: gatewaypoaWire.orderRequest }) request: gatewaypoaWire.OrderRequest) {
    return this.requestReview.execute(request);
  }

  @Post('submit')
  @GatewayOperation('submit')
  submit(@Body({ schema: gatewaypoaWire.orderRequest }) request: gatewaypoaWire.OrderRequest) {
    return this.submitOrder.execute(request);
  }

  @Get()
  @GatewayOperation('order_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    return bookOf(await store.orders.list(this.db, ...pageOf(query)), query, (row) => ({
      ...toOrderObject(row),
      amount_paise: row.amount?.toPaise() ?? null,
    }));
  }

  @Get(':reference')
  @GatewayOperation('order_status')
  async status(@Param('reference') reference: string) {
    return toOrderObject(known(await store.orders.find(this.db, { reference }), reference));
  }
}
