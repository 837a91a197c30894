import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { bookOf, pageOf } from '../gatewaypoa/book.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { StartTransfer } from './start-transfer.ts';
import { toTransferObject, totalPaise } from './transfer.ts';

@Controller('gatewaypoa/transfers')
@GatewaypoaRoutes()
export class TransfersController {
  constructor(
    private readonly db: Database,
    private readonly startTransfer: StartTransfer,
  ) {}

  @Post()
  @GatewayOperation('transfer')
  start(@Body({ schema: gatewaypoaWire.transferRequest }) request: gatewaypoaWire.TransferRequest) {
    return this.startTransfer.execute(request);
  }

  @Get()
  @GatewayOperation('transfer_status')
  async book(@Query({ schema: gatewaypoaWire.bookQuery }) query: gatewaypoaWire.BookQueryWire) {
    return bookOf(await store.transfers.list(this.db, ...pageOf(query)), query, (row) => ({
      reference: row.reference,
      payment_reference: row.payment_reference,
      amount_paise: totalPaise(row.shares),
      transfer: toTransferObject(row),
    }));
  }

  @Get(':reference')
  @GatewayOperation('transfer_status')
  async status(@Param('reference') reference: string) {
    return toTransferObject(known(await store.transfers.find(this.db, { reference }), reference));
  }
}
