import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf, pageOf } from '../gatewaypoa/book.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { toRefundObject } from './refund.ts';
import { StartRefund } from './start-refund.ts';

@Controller('gatewaypoa/refunds')
@GatewaypoaRoutes()
export class RefundsController {
  constructor(
    private readonly db: Database,
    private readonly startRefund: StartRefund,
  ) {}

  @Post()
  @GatewayOperation('refund')
  start(@Body({ schema: gatewaypoaWire.refundRequest }) request: gatewaypoaWire.RefundRequest) {
    return this.startRefund.execute(request);
  }

  @Get()
  @GatewayOperation('refund_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    return bookOf(await store.refunds.list(this.db, ...pageOf(query)), query, (row) => ({
      reference: row.reference,
      amount_paise: row.amount.toPaise(),
      refund: toRefundObject(row),
    }));
  }

  @Get(':reference')
  @GatewayOperation('refund_status')
  async status(@Param('reference') reference: string) {
    return toRefundObject(known(await store.refunds.find(this.db, { reference }), reference));
  }
}
