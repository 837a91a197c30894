import { askedNow, paymentTrace, type AskedNow, type PaymentTraceDto } from '@fundrail/contracts';
import { CallerOf, RequireScope, type Caller } from '@fundrail/service-kit/http';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { readPaymentId } from '../payment/payment-ids.ts';
import { AskPayment } from './ask-payment.ts';
import { TracePayment } from './trace-payment.ts';

/** For operators who examine stuck money. */
@ApiTags('Administration')
@Controller('admin/payments')
@RequireScope('admin')
export class TraceController {
  constructor(
    private readonly trace: TracePayment,
    private readonly ask: AskPayment,
  ) {}

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

  @Post(':id/ask')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Ask about a stuck payment now',
    description:
      'Makes the next question about the payment, its transfer, refunds or debit due at once. The provider or the order gateway is called soon after the answer. Once a minute for a payment; about a payment, authorisation or debit by UPI as the policy `upi_status_enquiry` allows; otherwise 429 with `Retry-After`. 409 when nothing is asked about it any more. 503 when mandates does not answer about a debit.',
  })
  @ApiResponse({ status: 202, description: 'What is due now', standardSchema: askedNow })
  askOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<AskedNow> {
    return this.ask.execute({ tenant: caller.tenant, id: readPaymentId(id) });
  }
}
