import { paymentTrace, type PaymentTraceDto } from '@fundrail/contracts';
import { CallerOf, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { readPaymentId } from '../payment/payment-ids.ts';
import { TracePayment } from './trace-payment.ts';

/** For operators who examine stuck money. */
@ApiTags('Administration')
@Controller('admin/payments')
@RequireScope('admin')
export class TraceController {
  constructor(private readonly trace: TracePayment) {}

  @Get(':id/trace')
  @ApiOperation({
    summary: 'Where a payment is stuck',
    description:
      'Returns the payment with its captures, transfer, refunds and debit. For each: its reference at the provider, the number of calls, the times of the last and the next call, and the last answer. Also returns the steps of its history. Reads the tenant in x-tenant-id, or your own tenant without that header. 503 when mandates does not answer about a debit.',
  })
  @ApiResponse({ status: 200, description: 'The trace of the payment', standardSchema: paymentTrace })
  one(@CallerOf() caller: Caller, @Param('id') id: string): Promise<PaymentTraceDto> {
    return this.trace.execute(caller.tenant, readPaymentId(id));
  }
}
