import { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { GatewayOperation } from '../fault/fault.interceptor.ts';
import { known } from '../gatewaypoa/gateway-refusal.ts';
import { GatewaypoaRoutes } from '../gatewaypoa/gatewaypoa-route.decorator.ts';
import { store } from '../store/simulator.tables.ts';
import { toDebitObject } from './debit.ts';
import { ExecuteDebit } from './execute-debit.ts';
import { SendNotice } from './send-notice.ts';

/** gatewaypoa's debits: notices to the investor, and attempts by their reference. */
@Controller('gatewaypoa/debits')
@GatewaypoaRoutes()
export class DebitsController {
  constructor(
    private readonly db: Database,
    private readonly sendNotice: SendNotice,
    private readonly executeDebit: ExecuteDebit,
  ) {}

  @Post('notices')
  @GatewayOperation('notify')
  notify(@Body({ schema: gatewaypoaWire.noticeRequest }) request: gatewaypoaWire.NoticeRequest) {
    return this.sendNotice.execute(request);
  }

  @Post('notices/:notice/withdraw')
  @GatewayOperation('withdraw')
  withdraw(@Param('notice') notice: string) {
    return this.sendNotice.withdraw(notice);
  }

  @Post()
  @GatewayOperation('execute')
  execute(@Body({ schema: gatewaypoaWire.debitRequest }) request: gatewaypoaWire.DebitRequest) {
    return this.executeDebit.execute(request);
  }

  @Get(':reference')
  @GatewayOperation('debit_status')
  async status(@Param('reference') reference: string) {
    return toDebitObject(known(await store.debits.find(this.db, { reference }), reference));
  }
}
