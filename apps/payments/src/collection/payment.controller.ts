import { fetchedPayment, payment, paymentFilters, refundPayment } from '@fundrail/contracts';
import type { FetchedPaymentDto, PaymentDto, RefundPaymentRequest } from '@fundrail/contracts';
import { CallerOf, pageQuery, pageSchema, RequireScope } from '@fundrail/service-kit/http';
import type { Caller, PageOf } from '@fundrail/service-kit/http';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { readPaymentId } from '../payment/payment-ids.ts';
import type { PaymentQuery } from '../payment/payment-list.repository.ts';
import { RefundPayment } from '../payment/refund-payment.ts';
import { CancelPayment } from './cancel-payment.ts';
import { FindPayments } from './find-payments.ts';

/** Payments once they are created, docs/specification/payments.md. */
@ApiTags('Payments')
@Controller('api/pg/payments')
export class PaymentController {
  constructor(
    private readonly find: FindPayments,
    private readonly cancel: CancelPayment,
    private readonly refund: RefundPayment,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List payments, newest first',
    description:
      'Pages start at 0. `from` and `to` are IST dates of the creation, both inclusive. A payment must match all filters. `direction=asc` lists the oldest first.',
  })
  @ApiResponse({
    status: 200,
    description: 'A page of payments',
    standardSchema: pageSchema('payments', payment),
  })
  list(
    @CallerOf() caller: Caller,
    @Query({ schema: pageQuery(paymentFilters) }) query: PaymentQuery,
  ): Promise<PageOf<'payments', PaymentDto>> {
    return this.find.page(caller.tenant, query);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'Fetch a payment',
    description:
      'Includes the UPI URI once it is issued: the fallback when payment.updated did not arrive. While the payment is PENDING, also its unused token_url and SDK options.',
  })
  @ApiResponse({ status: 200, description: 'The payment', standardSchema: fetchedPayment })
  get(@CallerOf() caller: Caller, @Param('id') id: string): Promise<FetchedPaymentDto> {
    return this.find.one(caller.tenant, readPaymentId(id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel a pending payment',
    description:
      'The provider is asked first. If the payment was paid meanwhile, it counts and the response is 409.',
  })
  @ApiResponse({
    status: 200,
    description: 'The payment, FAILED with user_cancelled',
    standardSchema: payment,
  })
  cancelOne(@CallerOf() caller: Caller, @Param('id') id: string): Promise<PaymentDto> {
    return this.cancel.execute(caller, readPaymentId(id));
  }

  @Post(':id/refunds')
  @HttpCode(200)
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Refund a successful payment that is not yet transferred (operator)',
    description: 'Refunds the shares of the given orders, or all that is not refunded yet.',
  })
  @ApiResponse({ status: 200, description: 'The payment with its refund', standardSchema: payment })
  refundOne(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: refundPayment }) request: RefundPaymentRequest,
  ): Promise<PaymentDto> {
    return this.refund.execute(caller, readPaymentId(id), request);
  }
}
