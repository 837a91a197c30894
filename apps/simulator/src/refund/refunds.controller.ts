import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf } from '../gatewaypoa/book.ts';
import { notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { toRefundObject } from './refund.ts';
import { bookOfRefunds, findRefund } from './refund.repository.ts';
import { StartRefund } from './start-refund.ts';

@Controller('gatewaypoa/refunds')
@GatewaypoaRoutes()
export class RefundsController {
  constructor(
    private readonly db: Database,
    private readonly startRefund: StartRefund,
  ) {}

  @Post()
  @HttpCode(200)
  @GatewayOperation('refund')
  start(@Body({ schema: gatewaypoaWire.refundRequest }) request: gatewaypoaWire.RefundRequest) {
    return this.startRefund.execute(request);
  }

  @Get()
  @GatewayOperation('refund_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    return bookOf(await bookOfRefunds(this.db, query), query, (row) => ({
      reference: row.reference,
      amount_paise: row.amount.toPaise(),
      refund: toRefundObject(row),
    }));
  }

  @Get(':reference')
  @GatewayOperation('refund_status')
  async status(@Param('reference') reference: string) {
    const row = await findRefund(this.db, reference);
    if (!row) throw notKnownHere(reference);
    return toRefundObject(row);
  }
}
