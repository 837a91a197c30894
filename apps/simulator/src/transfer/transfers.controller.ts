import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf } from '../gatewaypoa/book.ts';
import { notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { StartTransfer } from './start-transfer.ts';
import { toTransferObject, totalPaise } from './transfer.ts';
import { bookOfTransfers, findTransfer } from './transfer.repository.ts';

@Controller('gatewaypoa/transfers')
@GatewaypoaRoutes()
export class TransfersController {
  constructor(
    private readonly db: Database,
    private readonly startTransfer: StartTransfer,
  ) {}

  @Post()
  @HttpCode(200)
  @GatewayOperation('transfer')
  start(@Body({ schema: gatewaypoaWire.transferRequest }) request: gatewaypoaWire.TransferRequest) {
    return this.startTransfer.execute(request);
  }

  @Get()
  @GatewayOperation('transfer_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    return bookOf(await bookOfTransfers(this.db, query), query, (row) => ({
      reference: row.reference,
      payment_reference: row.payment_reference,
      amount_paise: totalPaise(row.shares),
      transfer: toTransferObject(row),
    }));
  }

  @Get(':reference')
  @GatewayOperation('transfer_status')
  async status(@Param('reference') reference: string) {
    const row = await findTransfer(this.db, reference);
    if (!row) throw notKnownHere(reference);
    return toTransferObject(row);
  }
}
