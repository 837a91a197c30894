import {
  raiseDebit,
  raiseDebits,
  type RaisedDebit,
  type RaisedDebits,
  type RaiseDebitRequest,
  type RaiseDebitsRequest,
} from '@fundrail/contracts';
import { Internal } from '@fundrail/service-kit/http';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DebitForOrder } from './debit-for-order.ts';

/** For orders only, which collects the installments of plans. The edge does not route it. */
@ApiExcludeController()
@Internal()
@Controller('internal/payments/debits')
export class InternalDebitController {
  constructor(private readonly debits: DebitForOrder) {}

  @Post()
  @HttpCode(200)
  raise(@Body({ schema: raiseDebit }) request: RaiseDebitRequest): Promise<RaisedDebit> {
    return this.debits.execute(request);
  }

  @Post('batch')
  @HttpCode(200)
  async raiseAll(@Body({ schema: raiseDebits }) { debits }: RaiseDebitsRequest): Promise<RaisedDebits> {
    return { results: await this.debits.executeAll(debits) };
  }
}
